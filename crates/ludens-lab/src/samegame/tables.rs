//! The figures of the text's tables of variants, as it prints them.

use super::variants::Set::{Schadd, Standard};
use super::variants::Statistic::{
    Depth, HitCount, HitDepth, MaxDepth, Nodes, Suboptimal, Terminals,
};
use super::variants::{Block, LONG, SHORT, Statistic, Table, Variant};

/// A line of a table: name, solver, Min, Avg and Max, other columns.
const fn v(
    name: &'static str,
    solver: &'static str,
    [min, avg, max]: [u32; 3],
    statistics: &'static [(Statistic, f64)],
) -> Variant {
    Variant { name, solver, scores: [min as f64, avg as f64, max as f64], statistics }
}

/// The reference of the shorter budget, without and with its terminal nodes.
const STATIC: Variant = v("Static", "Static", [2342, 2653, 2975], &[(Depth, 30.54)]);
const STATIC_TERMINALS: Variant =
    v("Static", "Static", [2342, 2653, 2975], &[(Depth, 30.54), (Terminals, 12106.0)]);
/// The reference of the longer budget on the standard boards.
const STATIC_LONG: Variant = v(
    "Static",
    "Static",
    [1674, 1979, 2289],
    &[(Depth, 40.01), (Nodes, 443462.0), (Terminals, 83482.0), (MaxDepth, 49.44)],
);

/// All tables, in the order of the text.
pub(super) const TABLES: &[Table] = &[
    Table {
        name: "samegame-6.1",
        aliases: &[],
        title: "Normalisation: Local, Global, Static",
        reference: "SameGame text, section 6.1, figure 6.1",
        blocks: &[Block {
            set: Schadd,
            units: SHORT,
            variants: &[
                STATIC,
                v("Local", "Local", [2301, 2629, 2957], &[(Depth, 29.74)]),
                v("Global", "Global", [2351, 2652, 2960], &[(Depth, 29.66)]),
            ],
        }],
    },
    Table {
        name: "samegame-6.2",
        aliases: &[],
        title: "Variance in the tree policy: SP-MCTS",
        reference: "SameGame text, section 6.2",
        blocks: &[Block {
            set: Schadd,
            units: SHORT,
            variants: &[STATIC, v("SP-MCTS", "SP-MCTS", [2411, 2766, 3112], &[(Depth, 30.63)])],
        }],
    },
    Table {
        name: "samegame-6.3",
        aliases: &[],
        title: "The third average: 3rdAvg",
        reference: "SameGame text, section 6.3, figure 6.2",
        blocks: &[Block {
            set: Schadd,
            units: SHORT,
            variants: &[
                STATIC,
                v("SP-MCTS", "SP-MCTS", [2411, 2766, 3112], &[(Depth, 30.63)]),
                v("3rdAvg", "3rdAvg", [2543, 2843, 3139], &[(Depth, 30.08)]),
            ],
        }],
    },
    Table {
        name: "samegame-6.4",
        aliases: &[],
        title: "The weight of the bonus for a cleared board",
        reference: "SameGame text, section 6.4",
        blocks: &[Block {
            set: Schadd,
            units: SHORT,
            variants: &[
                STATIC,
                v("Bonus-0.0", "Bonus-0.0", [2287, 2620, 2970], &[(Depth, 29.74)]),
                v("Bonus-0.5", "Bonus-0.5", [2328, 2645, 2979], &[(Depth, 30.96)]),
                v("Bonus-0.8", "Bonus-0.8", [2352, 2646, 2957], &[(Depth, 30.87)]),
            ],
        }],
    },
    Table {
        name: "samegame-6.5",
        aliases: &[],
        title: "UCB1-TUNED, pruning, and the maximum as a guide",
        reference: "SameGame text, section 6.5, figure 6.4",
        blocks: &[Block {
            set: Schadd,
            units: SHORT,
            variants: &[
                STATIC,
                v("UCB1-Tuned", "UCB1-Tuned", [2324, 2637, 2954], &[(Depth, 30.93)]),
                v("NoPruning", "NoPruning", [2234, 2566, 2907], &[(Depth, 31.05)]),
                v("StatePruning", "StatePruning", [2343, 2657, 2996], &[(Depth, 27.01)]),
                v("TopScore", "TopScore", [1969, 2317, 2723], &[(Depth, 29.60)]),
            ],
        }],
    },
    Table {
        name: "samegame-6.6",
        aliases: &[],
        title: "Tree policies on the standard boards, shorter and longer",
        reference: "SameGame text, section 6.6, figures 6.5 and 6.6",
        blocks: &[
            Block {
                set: Standard,
                units: SHORT,
                variants: &[
                    v(
                        "Static",
                        "Static",
                        [1053, 1357, 1649],
                        &[(Depth, 8.05), (Nodes, 12450.0), (Terminals, 0.03), (MaxDepth, 12.77)],
                    ),
                    v(
                        "Global",
                        "Global",
                        [1309, 1614, 1907],
                        &[(Depth, 14.76), (Nodes, 15493.0), (Terminals, 211.0), (MaxDepth, 23.63)],
                    ),
                    v(
                        "SP-MCTS",
                        "SP-MCTS",
                        [1049, 1355, 1758],
                        &[(Depth, 7.29), (Nodes, 12051.0), (Terminals, 0.0), (MaxDepth, 12.21)],
                    ),
                    v(
                        "3rdAvg",
                        "3rdAvg",
                        [1143, 1446, 1772],
                        &[(Depth, 8.56), (Nodes, 12431.0), (Terminals, 29.49), (MaxDepth, 14.19)],
                    ),
                ],
            },
            Block {
                set: Standard,
                units: LONG,
                variants: &[
                    STATIC_LONG,
                    v(
                        "Global",
                        "Global",
                        [1526, 1915, 2377],
                        &[
                            (Depth, 45.65),
                            (Nodes, 519987.0),
                            (Terminals, 106949.0),
                            (MaxDepth, 52.10),
                        ],
                    ),
                    v(
                        "SP-MCTS",
                        "SP-MCTS",
                        [1831, 2240, 2625],
                        &[
                            (Depth, 41.83),
                            (Nodes, 418666.0),
                            (Terminals, 76805.0),
                            (MaxDepth, 52.33),
                        ],
                    ),
                    v(
                        "3rdAvg",
                        "3rdAvg",
                        [1956, 2290, 2638],
                        &[
                            (Depth, 41.25),
                            (Nodes, 364441.0),
                            (Terminals, 63562.0),
                            (MaxDepth, 52.51),
                        ],
                    ),
                ],
            },
        ],
    },
    Table {
        name: "samegame-6.7",
        aliases: &["samegame-B.1"],
        title: "Detection of duplicates: Naive, Dynamic, Consistent",
        reference: "SameGame text, section 6.7, figures 6.7 to 6.9 and B.1 to B.4",
        blocks: &[
            Block {
                set: Schadd,
                units: SHORT,
                variants: &[
                    STATIC,
                    v(
                        "Naive",
                        "Naive",
                        [2357, 2698, 3034],
                        &[
                            (Depth, 27.20),
                            (HitCount, 55277.0),
                            (Suboptimal, 4461.0),
                            (HitDepth, 31.32),
                            (MaxDepth, 39.87),
                        ],
                    ),
                    v(
                        "Dynamic",
                        "Dynamic",
                        [2404, 2714, 3034],
                        &[
                            (Depth, 27.20),
                            (HitCount, 55374.0),
                            (Suboptimal, 1575.0),
                            (HitDepth, 30.40),
                            (MaxDepth, 39.86),
                        ],
                    ),
                    v(
                        "Consistent",
                        "Consistent",
                        [2367, 2700, 3031],
                        &[
                            (Depth, 26.91),
                            (HitCount, 50068.0),
                            (Suboptimal, 1813.0),
                            (HitDepth, 29.78),
                            (MaxDepth, 39.78),
                        ],
                    ),
                ],
            },
            Block {
                set: Standard,
                units: LONG,
                variants: &[
                    STATIC_LONG,
                    v(
                        "Naive",
                        "Naive",
                        [1705, 1984, 2280],
                        &[
                            (Depth, 41.38),
                            (Nodes, 228078.0),
                            (Terminals, 1533.0),
                            (HitCount, 511201.0),
                            (HitDepth, 44.07),
                            (MaxDepth, 50.68),
                        ],
                    ),
                    v(
                        "Dynamic",
                        "Dynamic",
                        [1635, 2019, 2371],
                        &[
                            (Depth, 39.21),
                            (Nodes, 233379.0),
                            (Terminals, 1872.0),
                            (HitCount, 508889.0),
                            (HitDepth, 43.13),
                            (MaxDepth, 55.19),
                        ],
                    ),
                    v(
                        "Consistent",
                        "Consistent",
                        [1658, 2145, 2650],
                        &[
                            (Depth, 39.53),
                            (Nodes, 236730.0),
                            (Terminals, 1557.0),
                            (HitCount, 486840.0),
                            (HitDepth, 43.22),
                            (MaxDepth, 55.77),
                        ],
                    ),
                ],
            },
        ],
    },
    Table {
        name: "samegame-6.8",
        aliases: &[],
        title: "Resources per move",
        reference: "SameGame text, section 6.8, figures 6.10 and 6.11",
        blocks: &[
            Block {
                set: Schadd,
                units: SHORT,
                variants: &[
                    STATIC,
                    v("Uniform", "Uniform", [2181, 2557, 2956], &[(Depth, 30.43)]),
                    v("Linear", "Linear", [2304, 2647, 3009], &[(Depth, 30.56)]),
                    v("Exponential", "Exponential", [2378, 2707, 3040], &[(Depth, 29.61)]),
                    v("Uniform+", "Uniform+", [2184, 2600, 3005], &[(Depth, 30.43)]),
                    v("Linear+", "Linear+", [2380, 2728, 3063], &[(Depth, 29.92)]),
                    v("Exponential+", "Exponential+", [2431, 2751, 3068], &[(Depth, 29.12)]),
                ],
            },
            Block {
                set: Standard,
                units: LONG,
                variants: &[
                    STATIC_LONG,
                    v("Uniform", "Uniform", [1720, 2097, 2438], &[(Depth, 30.47)]),
                    v("Linear", "Linear", [1764, 2078, 2410], &[(Depth, 39.08)]),
                    v("Exponential", "Exponential", [1708, 2081, 2491], &[(Depth, 39.24)]),
                    v("Uniform+", "Uniform+", [1765, 2120, 2484], &[(Depth, 29.38)]),
                    v("Linear+", "Linear+", [1790, 2105, 2467], &[(Depth, 37.47)]),
                    v("Exponential+", "Exponential+", [1797, 2169, 2576], &[(Depth, 40.05)]),
                ],
            },
        ],
    },
    Table {
        name: "samegame-6.9.1",
        aliases: &[],
        title: "Explorative factor by depth: depth block, late urgency",
        reference: "SameGame text, section 6.9.1, figures 6.13 to 6.15",
        blocks: &[Block {
            set: Schadd,
            units: SHORT,
            variants: &[
                STATIC,
                v("depth 30", "DepthBlock30", [2350, 2670, 2996], &[(Depth, 28.27)]),
                v("length / 1.9", "DepthBlock1.9", [2382, 2696, 3010], &[(Depth, 23.03)]),
                v("length / 2.0", "DepthBlock", [2394, 2701, 3025], &[(Depth, 21.16)]),
                v("length / 2.5", "DepthBlock2.5", [2398, 2689, 2990], &[(Depth, 16.39)]),
                v("length / 2.0, LU", "DepthBlockLU", [2418, 2724, 3021], &[(Depth, 22.09)]),
            ],
        }],
    },
    Table {
        name: "samegame-6.9.2",
        aliases: &[],
        title: "Explorative factor by terminal nodes: LeafBlock, CNode, Rapid",
        reference: "SameGame text, section 6.9.2, figures 6.16 to 6.24",
        blocks: &[Block {
            set: Schadd,
            units: SHORT,
            variants: &[
                STATIC_TERMINALS,
                v(
                    "DepthBlock",
                    "DepthBlock",
                    [2394, 2701, 3025],
                    &[(Depth, 21.16), (Terminals, 2010.9)],
                ),
                v(
                    "LeafBlock",
                    "LeafBlock",
                    [2394, 2713, 3025],
                    &[(Depth, 19.16), (Terminals, 207.8)],
                ),
                v(
                    "LeafBlockLU",
                    "LeafBlockLU",
                    [2398, 2723, 3048],
                    &[(Depth, 19.61), (Terminals, 232.6)],
                ),
                v(
                    "LeafBlockLUntn",
                    "LeafBlockLUntn",
                    [2404, 2725, 3048],
                    &[(Depth, 19.54), (Terminals, 232.0)],
                ),
                v("CNode", "CNode", [2451, 2767, 3079], &[(Depth, 19.97), (Terminals, 97.4)]),
                v("CNodeLU", "CNodeLU", [2453, 2774, 3100], &[(Depth, 20.03), (Terminals, 103.3)]),
                v("Rapid", "Rapid", [2368, 2713, 3054], &[(Depth, 18.65), (Terminals, 311.5)]),
                v(
                    "Consistent",
                    "Consistent",
                    [2367, 2700, 3031],
                    &[(Depth, 26.91), (Terminals, 326.9)],
                ),
                v(
                    "ConsistentCNode",
                    "ConsistentCNode",
                    [2503, 2842, 3164],
                    &[(Depth, 16.42), (Terminals, 19.4)],
                ),
            ],
        }],
    },
    Table {
        name: "samegame-B.2",
        aliases: &[],
        title: "CNode with a cooling explorative factor: SA-UCT",
        reference: "SameGame text, section 6.9.2, figures 6.25 and B.5",
        blocks: &[Block {
            set: Schadd,
            units: SHORT,
            variants: &[
                STATIC_TERMINALS,
                v(
                    "Linear 1000",
                    "SA-Linear1000",
                    [2330, 2609, 2917],
                    &[(Depth, 8.91), (Terminals, 60.8)],
                ),
                v(
                    "Linear 500",
                    "SA-Linear500",
                    [2448, 2713, 2986],
                    &[(Depth, 13.48), (Terminals, 85.1)],
                ),
                v(
                    "Linear 250",
                    "SA-Linear250",
                    [2480, 2776, 3072],
                    &[(Depth, 17.62), (Terminals, 105.0)],
                ),
                v(
                    "Linear 200",
                    "SA-Linear200",
                    [2506, 2786, 3064],
                    &[(Depth, 18.45), (Terminals, 112.2)],
                ),
                v(
                    "Linear 180",
                    "SA-Linear180",
                    [2491, 2789, 3083],
                    &[(Depth, 18.91), (Terminals, 109.7)],
                ),
                v(
                    "Exponential 1000",
                    "SA-Exponential1000",
                    [2468, 2773, 3051],
                    &[(Depth, 17.36), (Terminals, 128.0)],
                ),
                v(
                    "Exponential 500",
                    "SA-Exponential500",
                    [2507, 2794, 3069],
                    &[(Depth, 18.19), (Terminals, 143.4)],
                ),
                v(
                    "Exponential 300",
                    "SA-Exponential300",
                    [2498, 2783, 3061],
                    &[(Depth, 18.64), (Terminals, 154.0)],
                ),
                v(
                    "Exponential 256",
                    "SA-Exponential256",
                    [2530, 2807, 3091],
                    &[(Depth, 18.63), (Terminals, 159.0)],
                ),
                v(
                    "Exponential 200",
                    "SA-Exponential200",
                    [2462, 2768, 3070],
                    &[(Depth, 18.76), (Terminals, 163.9)],
                ),
            ],
        }],
    },
    Table {
        name: "samegame-6.10.1",
        aliases: &["samegame-B.3"],
        title: "The third average with the move's own score: 3rdAvg+",
        reference: "SameGame text, section 6.10.1, figures 6.26 and B.6",
        blocks: &[Block {
            set: Schadd,
            units: SHORT,
            variants: &[
                STATIC,
                v("3rdAvg", "3rdAvg", [2543, 2843, 3139], &[(Depth, 30.08)]),
                v("3rdAvg+", "3rdAvg+", [2331, 2649, 2976], &[(Depth, 29.92)]),
            ],
        }],
    },
    Table {
        name: "samegame-6.10.2",
        aliases: &[],
        title: "The maximum as a guide, without the bonus",
        reference: "SameGame text, section 6.10.2, figure 6.28",
        blocks: &[Block {
            set: Schadd,
            units: SHORT,
            variants: &[
                STATIC,
                v("StaticTop", "TopScore", [1969, 2317, 2723], &[(Depth, 29.60)]),
                v(
                    "StaticTop+, C = 0.12",
                    "TopScore+:c=0.12",
                    [2329, 2750, 3138],
                    &[(Depth, 24.88)],
                ),
                v(
                    "StaticTop+, C = 0.09",
                    "TopScore+:c=0.09",
                    [2256, 2675, 3054],
                    &[(Depth, 29.79)],
                ),
                v("3rdTop, C = 0.195", "3rdTop:c=0.195", [2268, 2664, 3048], &[(Depth, 31.43)]),
                v("3rdTop, C = 0.21", "3rdTop:c=0.21", [2319, 2699, 3053], &[(Depth, 29.88)]),
                v(
                    "Top3rdAvg, C = 0.141",
                    "Top3rdAvg:c=0.141",
                    [2408, 2782, 3123],
                    &[(Depth, 30.94)],
                ),
                v(
                    "Top3rdAvg, C = 0.148",
                    "Top3rdAvg:c=0.148",
                    [2365, 2786, 3145],
                    &[(Depth, 30.06)],
                ),
            ],
        }],
    },
    Table {
        name: "samegame-7.0.3",
        aliases: &[],
        title: "Combined: Base with 3rdAvg",
        reference: "SameGame text, section 7.0.3",
        blocks: &[Block {
            set: Schadd,
            units: SHORT,
            variants: &[
                STATIC,
                v("Base", "Base", [2503, 2842, 3164], &[(Depth, 16.42)]),
                v("3rdAvg", "3rdAvg", [2543, 2843, 3139], &[(Depth, 30.08)]),
                v("Base3rdAvg", "Base3rdAvg", [2735, 3003, 3262], &[(Depth, 17.07)]),
            ],
        }],
    },
    Table {
        name: "samegame-7.0.4",
        aliases: &[],
        title: "Combined: with resources per move",
        reference: "SameGame text, section 7.0.4",
        blocks: &[Block {
            set: Schadd,
            units: SHORT,
            variants: &[
                STATIC,
                v("Base3rdAvg", "Base3rdAvg", [2735, 3003, 3262], &[(Depth, 17.07)]),
                v("Base3rdAvgExp+", "Base3rdAvgExp+", [2722, 3026, 3312], &[(Depth, 19.26)]),
            ],
        }],
    },
    Table {
        name: "samegame-7.0.5",
        aliases: &["samegame-B.4"],
        title: "Combined: with a taboo colour in simulations",
        reference: "SameGame text, section 7.0.5, figure 7.1 and section B.4",
        blocks: &[Block {
            set: Schadd,
            units: SHORT,
            variants: &[
                STATIC,
                v("Base3rdAvg", "Base3rdAvg", [2735, 3003, 3262], &[(Depth, 17.07)]),
                v("Base3rdAvgExp+", "Base3rdAvgExp+", [2721, 3026, 3312], &[(Depth, 19.26)]),
                v(
                    "Base3rdAvgExp+Tabu",
                    "Base3rdAvgExp+Tabu",
                    [3072, 3303, 3504],
                    &[(Depth, 20.03)],
                ),
                v("BaseExp+Tabu", "BaseExp+Tabu", [3093, 3322, 3524], &[(Depth, 20.06)]),
            ],
        }],
    },
    Table {
        name: "samegame-7.0.6",
        aliases: &["samegame-B.5"],
        title: "Combined: random simulations for the last blocks",
        reference: "SameGame text, section 7.0.6, figure 7.2 and section B.5",
        blocks: &[Block {
            set: Schadd,
            units: SHORT,
            variants: &[
                STATIC,
                v("BaseExp+Tabu", "BaseExp+Tabu", [3093, 3322, 3524], &[(Depth, 20.06)]),
                v("BaseExp+Tabu32", "BaseExp+Tabu32", [3149, 3339, 3523], &[(Depth, 19.55)]),
                v("BaseExp+Tabu48", "BaseExp+Tabu48", [3162, 3351, 3522], &[(Depth, 19.40)]),
                v("BaseExp+Tabu64", "BaseExp+Tabu64", [3149, 3333, 3507], &[(Depth, 19.41)]),
            ],
        }],
    },
    Table {
        name: "samegame-8.1",
        aliases: &[],
        title: "Compared with others: random simulations; Meta 5 is the column max",
        reference: "SameGame text, figure 8.1",
        blocks: &[Block {
            set: Schadd,
            units: SHORT,
            variants: &[
                STATIC,
                v("Base3rdAvgExp+", "Base3rdAvgExp+", [2722, 3026, 3312], &[(Depth, 19.26)]),
                v(
                    "ConsistentCNode",
                    "ConsistentCNode",
                    [2503, 2842, 3164],
                    &[(Depth, 16.42), (Terminals, 19.4)],
                ),
            ],
        }],
    },
    Table {
        name: "samegame-8.2",
        aliases: &[],
        title: "Compared with others: weighted simulations; Meta 5 is the column max",
        reference: "SameGame text, figure 8.2",
        blocks: &[Block {
            set: Schadd,
            units: SHORT,
            variants: &[
                STATIC,
                v("BaseExp+Tabu48", "BaseExp+Tabu48", [3162, 3351, 3522], &[(Depth, 19.40)]),
            ],
        }],
    },
];
