//! Published numbers of tables that compare ways to learn: means in points, rates in per cent.

/// A way to learn with what Guei (2023) found.
pub(super) struct Network {
    pub(super) label: &'static str,
    pub(super) layout: &'static str,
    /// Settings of the recipe, the same for every stage. `N/2`, `3N/4` and `N/100` stand for shares
    /// of the episodes.
    pub(super) settings: &'static [(&'static str, &'static str)],
    /// Stages, which learn one after another.
    pub(super) stages: usize,
    /// Searches with mean and rates of 8192, 16384 and 32768; what Guei (2023) does not print
    /// is not a number.
    pub(super) searches: &'static [(&'static str, [f64; 4])],
}

/// A table of networks.
pub(super) struct Learning {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) reference: &'static str,
    /// Episodes of Guei (2023) for each stage, in millions.
    pub(super) millions: u64,
    /// Networks of Guei (2023) that learned in the same way.
    pub(super) runs: usize,
    pub(super) networks: &'static [Network],
}

const NO: f64 = f64::NAN;
const P1: &str = "ntuple:ply=1";
const P2: &str = "ntuple:ply=2,rectified=on";
const P3: &str = "ntuple:ply=3,rectified=on";
const DECAY: (&str, &str) = ("schedule", "N/2:0.01,3N/4:0.001");
const TD: (&str, &str) = ("method", "td");
const TC: (&str, &str) = ("method", "tc");
/// With V_init 320,000.
const OTD: (&str, &str) = ("method", "otd");
/// With V_init 320,000.
const OTC: (&str, &str) = ("method", "otc");
/// With V_init 320,000; TD with a rate of 0.1, then TC with 1 for the last tenth.
const OTD_TC: (&str, &str) = ("method", "otd+tc");
const PLAIN: (&str, &str) = ("initial", "0");
/// Exploration is lowered once every million of 100 million episodes.
const FALLING: (&str, &str) = ("explore_step", "N/100");
/// Guei (2023) divides values before the softmax and does not say by what.
const SCALE: (&str, &str) = ("softmax_scale", "best");

macro_rules! initial {
    ($layout:literal, $learn:ident, [$($value:literal => $means:expr),* $(,)?]) => {
        &[$(Network {
            label: concat!("V_init ", $value),
            layout: $layout,
            settings: &initial!(@$learn $value),
            stages: 1,
            searches: &[(P1, $means)],
        }),*]
    };
    (@td $value:literal) => { [TD, DECAY, ("initial", $value)] };
    (@tc $value:literal) => { [TC, ("initial", $value)] };
}

macro_rules! fine_tuning {
    ($($share:literal, $from:literal => $means:expr),* $(,)?) => {
        &[$(Network {
            label: concat!("P_TC ", $share),
            layout: "8x6",
            settings: &[OTD_TC, ("tc_from", $from)],
            stages: 1,
            searches: &[(P1, $means)],
        }),*]
    };
}

macro_rules! three_ways {
    ($($layout:literal => $td:expr, $both:expr, $tc:expr);* $(;)?) => {
        &[$(
            Network {
                label: concat!($layout, " OTD"),
                layout: $layout,
                settings: &[OTD, DECAY],
                stages: 1,
                searches: &[(P1, $td)],
            },
            Network {
                label: concat!($layout, " OTD+TC"),
                layout: $layout,
                settings: &[OTD_TC],
                stages: 1,
                searches: &[(P1, $both)],
            },
            Network {
                label: concat!($layout, " OTC"),
                layout: $layout,
                settings: &[OTC],
                stages: 1,
                searches: &[(P1, $tc)],
            },
        )*]
    };
}

macro_rules! rectified {
    ($($label:literal, $method:expr, $rectify:literal => $one:expr, $two:expr);* $(;)?) => {
        &[$(Network {
            label: $label,
            layout: "4x6",
            settings: &[$method, ("rectify", $rectify)],
            stages: 1,
            searches: &[(P1, [$one, NO, NO, NO]), (P2, [$two, NO, NO, NO])],
        }),*]
    };
}

/// A network of tables 8 to 11 whose stages learn one after another.
macro_rules! staged {
    ($label:literal, $layout:literal, $stages:literal, $settings:expr, $searches:expr) => {
        Network {
            label: $label,
            layout: $layout,
            settings: &$settings,
            stages: $stages,
            searches: &$searches,
        }
    };
}

const DOWN: [&str; 3] = [
    "ntuple:ply=1,downgrade=32768",
    "ntuple:ply=2,downgrade=32768,rectified=on",
    "ntuple:ply=3,downgrade=32768,rectified=on",
];

pub(super) const LEARNING: &[Learning] = &[
    Learning {
        name: "2048-1",
        title: "Optimistic TD learning of the 4x6 network",
        reference: "Guei 2023, table 1",
        millions: 100,
        runs: 5,
        networks: initial!("4x6", td, [
            "0" => [251_920.0, 92.87, 65.23, 0.0],
            "40000" => [254_784.0, 93.20, 65.89, 0.0],
            "80000" => [253_393.0, 92.52, 65.25, 0.0],
            "160000" => [244_875.0, 91.40, 62.29, 0.0],
            "320000" => [239_075.0, 89.68, 59.73, 0.0],
            "640000" => [228_032.0, 87.64, 55.63, 0.0],
        ]),
    },
    Learning {
        name: "2048-2",
        title: "Optimistic TC learning of the 4x6 network",
        reference: "Guei 2023, table 2, figures 9 and 10",
        millions: 100,
        runs: 5,
        networks: initial!("4x6", tc, [
            "0" => [265_481.0, 93.36, 68.33, 0.0],
            "40000" => [263_284.0, 93.68, 66.72, 0.0],
            "80000" => [265_703.0, 93.60, 67.93, 0.0],
            "160000" => [264_058.0, 93.24, 67.47, 0.0],
            "320000" => [280_281.0, 93.11, 67.83, 5.30],
            "640000" => [252_254.0, 89.18, 60.22, 3.25],
        ]),
    },
    Learning {
        name: "2048-3",
        title: "Optimistic TD learning of the 8x6 network",
        reference: "Guei 2023, table 3, figures 11 and 12",
        millions: 100,
        runs: 5,
        networks: initial!("8x6", td, [
            "0" => [309_208.0, 97.24, 85.13, 0.0],
            "40000" => [306_438.0, 97.27, 84.11, 0.0],
            "80000" => [365_364.0, 97.16, 85.59, 21.23],
            "160000" => [369_172.0, 97.18, 85.70, 22.47],
            "320000" => [361_471.0, 96.77, 84.41, 21.75],
            "640000" => [339_492.0, 95.79, 81.80, 18.11],
        ]),
    },
    Learning {
        name: "2048-4",
        title: "Optimistic TC learning of the 8x6 network",
        reference: "Guei 2023, table 4",
        millions: 100,
        runs: 5,
        networks: initial!("8x6", tc, [
            "0" => [310_259.0, 96.54, 84.81, 0.0],
            "40000" => [310_347.0, 96.72, 83.59, 0.0],
            "80000" => [311_214.0, 97.07, 83.45, 0.0],
            "160000" => [361_298.0, 96.34, 84.12, 22.26],
            "320000" => [360_228.0, 95.73, 82.28, 22.74],
            "640000" => [325_357.0, 92.76, 75.88, 17.71],
        ]),
    },
    Learning {
        name: "2048-5",
        title: "OTD, OTD+TC and OTC in networks of different sizes",
        reference: "Guei 2023, table 5",
        millions: 100,
        runs: 5,
        networks: three_ways! {
            "4x6" => [239_075.0, NO, NO, 0.0], [261_433.0, NO, NO, 0.02], [280_281.0, NO, NO, 5.30];
            "5x6" => [272_904.0, NO, NO, 0.01], [279_653.0, NO, NO, 0.47], [313_948.0, NO, NO, 11.48];
            "6x6" => [314_324.0, NO, NO, 8.33], [337_951.0, NO, NO, 14.39], [324_714.0, NO, NO, 12.88];
            "7x6" => [352_986.0, NO, NO, 18.43], [360_286.0, NO, NO, 19.18], [335_042.0, NO, NO, 16.56];
            "8x6" => [361_471.0, NO, NO, 21.75], [370_907.0, NO, NO, 22.18], [360_228.0, NO, NO, 22.74];
        },
    },
    Learning {
        name: "2048-6",
        title: "Shares of fine-tuning in OTD+TC learning",
        reference: "Guei 2023, table 6, figures 13 and 14",
        millions: 100,
        runs: 5,
        networks: fine_tuning! {
            "10 %", "0.9" => [370_907.0, 97.26, 85.43, 22.18],
            "20 %", "0.8" => [371_198.0, 97.19, 85.55, 22.78],
            "30 %", "0.7" => [366_868.0, 97.07, 84.82, 22.28],
            "50 %", "0.5" => [355_806.0, 96.32, 83.64, 20.61],
            "70 %", "0.3" => [344_570.0, 95.99, 82.04, 17.78],
            "90 %", "0.1" => [298_673.0, 95.25, 80.05, 0.86],
        },
    },
    Learning {
        name: "2048-7",
        title: "Optimistic learning with expectimax",
        reference: "Guei 2023, table 7, 1 and 3 ply",
        millions: 100,
        runs: 5,
        networks: &[
            Network {
                label: "4x6 OTC",
                layout: "4x6",
                settings: &[OTC],
                stages: 1,
                searches: &[
                    (P1, [280_123.0, 93.00, 67.79, 5.32]),
                    (P3, [417_712.0, 99.66, 94.95, 37.18]),
                ],
            },
            Network {
                label: "8x6 OTD+TC",
                layout: "8x6",
                settings: &[OTD_TC],
                stages: 1,
                searches: &[
                    (P1, [370_194.0, 97.23, 85.30, 22.18]),
                    (P3, [475_126.0, 99.73, 96.88, 50.73]),
                ],
            },
        ],
    },
    Learning {
        name: "2048-8",
        title: "Optimistic learning in stages with expectimax",
        reference: "Guei 2023, table 8, 1 and 3 ply",
        millions: 100,
        runs: 5,
        networks: &[
            staged!(
                "2-stage 4x6, V_init 0",
                "4x6",
                2,
                [OTC, PLAIN],
                [(P1, [291_428.0, 93.30, 68.58, 7.72]), (P3, [463_784.0, 99.72, 96.16, 46.97]),]
            ),
            staged!(
                "2-stage 4x6, V_init 320k",
                "4x6",
                2,
                [OTC],
                [(P1, [290_549.0, 93.03, 67.88, 8.42]), (P3, [474_167.0, 99.70, 95.41, 46.02]),]
            ),
            staged!(
                "2-stage 8x6, V_init 0",
                "8x6",
                2,
                [OTD_TC, PLAIN],
                [(P1, [386_078.0, 97.37, 85.25, 26.67]), (P3, [506_486.0, 99.66, 96.89, 55.50]),]
            ),
            staged!(
                "2-stage 8x6, V_init 320k",
                "8x6",
                2,
                [OTD_TC],
                [(P1, [404_288.0, 97.25, 85.37, 30.17]), (P3, [538_582.0, 99.70, 96.83, 57.58]),]
            ),
            staged!(
                "3-stage 8x6, V_init 320k",
                "8x6",
                3,
                [OTD_TC],
                [(P1, [412_492.0, 97.23, 85.34, 33.55]), (P3, [545_231.0, 99.66, 96.90, 60.48]),]
            ),
        ],
    },
    Learning {
        name: "2048-9",
        title: "Tile-downgrading by threshold",
        reference: "Guei 2023, table 9, 1 and 3 ply",
        millions: 100,
        runs: 5,
        networks: &[staged!(
            "2-stage 8x6",
            "8x6",
            2,
            [OTD_TC],
            [
                ("ntuple:ply=1,downgrade=16384+8192", [352_951.0, 97.24, 85.36, 7.97]),
                (
                    "ntuple:ply=3,downgrade=16384+8192,rectified=on",
                    [437_012.0, 99.70, 96.78, 19.64]
                ),
                ("ntuple:ply=1,downgrade=32768", [412_785.0, 97.24, 85.39, 30.16]),
                ("ntuple:ply=3,downgrade=32768,rectified=on", [563_316.0, 99.63, 96.88, 57.90]),
                ("ntuple:ply=1,downgrade=32768+8192", [411_724.0, 97.26, 85.36, 30.19]),
                (
                    "ntuple:ply=3,downgrade=32768+8192,rectified=on",
                    [560_366.0, 99.73, 96.86, 57.55]
                ),
                ("ntuple:ply=1,downgrade=32768+16384", [409_164.0, 97.24, 85.37, 30.20]),
                (
                    "ntuple:ply=3,downgrade=32768+16384,rectified=on",
                    [554_005.0, 99.73, 96.76, 57.20]
                ),
            ]
        )],
    },
    Learning {
        name: "2048-10",
        title: "The best networks with tile-downgrading",
        reference: "Guei 2023, tables 10 and 13 (without SWA), 1 to 3 ply",
        millions: 100,
        runs: 5,
        networks: &[
            staged!(
                "2-stage 5x6 OTC",
                "5x6",
                2,
                [OTC],
                [(DOWN[0], [331_073.0, NO, NO, 15.38]), (DOWN[2], [526_178.0, NO, NO, 51.07]),]
            ),
            staged!(
                "2-stage 8x6 OTD+TC",
                "8x6",
                2,
                [OTD_TC],
                [
                    (DOWN[0], [412_785.0, 97.24, 85.39, 30.16]),
                    (DOWN[1], [518_027.0, 99.24, 94.69, 49.84]),
                    (DOWN[2], [563_316.0, 99.63, 96.88, 57.90]),
                ]
            ),
        ],
    },
    Learning {
        name: "2048-11",
        title: "What each technique adds",
        reference: "Guei 2023, table 11, rows without 6 ply",
        millions: 100,
        runs: 5,
        networks: &[
            Network {
                label: "V0: 8x6 TD",
                layout: "8x6",
                settings: &[TD, DECAY],
                stages: 1,
                searches: &[(P1, [309_208.0, NO, NO, 0.0])],
            },
            Network {
                label: "V1: with V_init 320k",
                layout: "8x6",
                settings: &[OTD, DECAY],
                stages: 1,
                searches: &[(P1, [361_471.0, NO, NO, 21.75])],
            },
            Network {
                label: "V2: with TC at the end",
                layout: "8x6",
                settings: &[OTD_TC],
                stages: 1,
                searches: &[(P1, [370_194.0, NO, NO, 22.18])],
            },
            staged!(
                "V3: in 2 stages",
                "8x6",
                2,
                [OTD_TC],
                [(P1, [404_288.0, NO, NO, 30.17]), (DOWN[0], [412_785.0, NO, NO, 30.16]),]
            ),
        ],
    },
    Learning {
        name: "2048-42",
        title: "Ways to explore in TD+TC learning",
        reference: "Guei 2023, table 42, figures 43 and 44",
        millions: 100,
        runs: 2,
        networks: &[
            Network {
                label: "V_init 0",
                layout: "8x6",
                settings: &[OTD_TC, PLAIN],
                stages: 1,
                searches: &[(P1, [362_922.0, 97.06, 85.73, 20.89])],
            },
            Network {
                label: "V_init 320k",
                layout: "8x6",
                settings: &[OTD_TC],
                stages: 1,
                searches: &[(P1, [370_874.0, 97.11, 85.51, 23.77])],
            },
            Network {
                label: "epsilon 0.01",
                layout: "8x6",
                settings: &[OTD_TC, PLAIN, ("explore", "epsilon:0.01"), FALLING],
                stages: 1,
                searches: &[(P1, [257_531.0, 93.86, 74.08, 0.0])],
            },
            Network {
                label: "epsilon 0.1",
                layout: "8x6",
                settings: &[OTD_TC, PLAIN, ("explore", "epsilon:0.1"), FALLING],
                stages: 1,
                searches: &[(P1, [221_984.0, 89.27, 59.09, 0.0])],
            },
            Network {
                label: "softmax 0.1",
                layout: "8x6",
                settings: &[OTD_TC, PLAIN, ("explore", "softmax:0.1"), SCALE, FALLING],
                stages: 1,
                searches: &[(P1, [251_636.0, 92.85, 71.81, 0.0])],
            },
            Network {
                label: "softmax 1",
                layout: "8x6",
                settings: &[OTD_TC, PLAIN, ("explore", "softmax:1"), SCALE, FALLING],
                stages: 1,
                searches: &[(P1, [230_371.0, 84.67, 57.57, 0.0])],
            },
        ],
    },
    Learning {
        name: "2048-41",
        title: "Original, rectified and ReLU learning of the 4x6 network, 1 and 2 ply",
        reference: "Guei 2023, table 41, search depth",
        millions: 10,
        runs: 10,
        networks: rectified! {
            "Original TD", TD, "none" => 180_700.0, 278_400.0;
            "Rectified TD", TD, "target" => 181_500.0, 280_200.0;
            "ReLU TD", TD, "relu" => 180_900.0, 276_700.0;
            "Original TC", TC, "none" => 248_100.0, 308_400.0;
            "Rectified TC", TC, "target" => 247_300.0, 310_100.0;
            "ReLU TC", TC, "relu" => 248_100.0, 307_900.0;
        },
    },
];
