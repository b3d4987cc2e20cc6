//! The numbers of the tables of variants of Klein (2015), as printed there.

use super::variants::Set::{Schadd, SchaddFull, Standard};
use super::variants::Statistic::{
    Depth, HitCount, HitDepth, MaxDepth, Nodes, Suboptimal, Terminals,
};
use super::variants::{Block, LONG, SHORT, Statistic, Table, Variant};

/// A line of a table: solver, Min, Avg and Max, other columns.
const fn v(solver: &'static str, [min, avg, max]: [u32; 3], statistics: &'static [f64]) -> Variant {
    Variant { name: solver, solver, scores: [min as f64, avg as f64, max as f64], statistics }
}

impl Variant {
    /// The same line under another name.
    const fn named(self, name: &'static str) -> Self {
        Variant { name, ..self }
    }
}

/// A block on Schadd's boards, all of which have the shorter budget.
const fn schadd(columns: &'static [Statistic], variants: &'static [Variant]) -> Block {
    Block { set: Schadd, units: SHORT, columns, variants }
}

/// A block on the standard boards.
const fn standard(
    units: u64,
    columns: &'static [Statistic],
    variants: &'static [Variant],
) -> Block {
    Block { set: Standard, units, columns, variants }
}

/// The reference of the shorter budget, and the same with its terminal nodes and
/// with the nodes that section 5.3.1 says searches on these boards have.
const STATIC: Variant = v("Static", [2342, 2653, 2975], &[30.54]);
const STATIC_TERMINALS: Variant = v("Static", [2342, 2653, 2975], &[30.54, 12106.0, 58000.0]);
/// The reference of the longer budget on the standard boards.
const STATIC_LONG: Variant = v("Static", [1674, 1979, 2289], &[40.01, 443462.0, 83482.0, 49.44]);

// Lines of several tables: average depth, terminal nodes.
const SP_MCTS: Variant = v("SP-MCTS", [2411, 2766, 3112], &[30.63]);
const THIRD: Variant = v("3rdAvg", [2543, 2843, 3139], &[30.08]);
const UNPRUNED: Variant = v("NoPruning", [2234, 2566, 2907], &[31.05]);
const TOP: Variant = v("TopScore", [1969, 2317, 2723], &[29.60]);
const EXPONENTIAL: Variant = v("Exponential+", [2431, 2751, 3068], &[29.12]);
const BASE_THIRD: Variant = v("Base3rdAvg", [2735, 3003, 3262], &[17.07]);
const BASE_THIRD_EXP: Variant = v("Base3rdAvgExp+", [2722, 3026, 3312], &[19.26]);
const TABU48: Variant = v("BaseExp+Tabu48", [3162, 3351, 3522], &[19.40]);
const CONSISTENT_CNODE: Variant = v("ConsistentCNode", [2503, 2842, 3164], &[16.42, 19.4]);
const TABU: Variant = v("BaseExp+Tabu", [3093, 3322, 3524], &[20.06]);
const CNODE: Variant = v("CNode", [2451, 2767, 3079], &[19.97, 97.4]);
const CNODE_LU: Variant = v("CNodeLU", [2453, 2774, 3100], &[20.03, 103.3]);
const DEPTH_BLOCK: Variant = v("DepthBlock", [2394, 2701, 3025], &[21.16, 2010.9]);

/// All tables, in the order of Klein (2015).
pub(super) const TABLES: &[Table] = &[
    Table {
        name: "samegame-variants",
        aliases: &[],
        title: "The variants of chapters 6 and 7 side by side, with both readings of the boards",
        reference: "Klein 2015, chapters 6 and 7",
        blocks: &[
            schadd(
                &[Depth, Terminals, Nodes],
                &[
                    STATIC_TERMINALS,
                    SP_MCTS,
                    THIRD,
                    UNPRUNED,
                    TOP,
                    EXPONENTIAL,
                    CNODE,
                    CNODE_LU,
                    CONSISTENT_CNODE,
                    BASE_THIRD,
                    BASE_THIRD_EXP,
                    TABU48,
                ],
            ),
            Block {
                set: SchaddFull,
                units: SHORT,
                columns: &[Depth, Terminals, Nodes],
                variants: &[STATIC_TERMINALS, THIRD, BASE_THIRD, TABU48],
            },
        ],
    },
    Table {
        name: "samegame-6.1",
        aliases: &[],
        title: "Normalisation: Local, Global, Static",
        reference: "Klein 2015, section 6.1, figure 6.1",
        blocks: &[schadd(
            &[Depth],
            &[
                STATIC,
                v("Local", [2301, 2629, 2957], &[29.74]),
                v("Global", [2351, 2652, 2960], &[29.66]),
            ],
        )],
    },
    Table {
        name: "samegame-6.2",
        aliases: &[],
        title: "Variance in the tree policy: SP-MCTS",
        reference: "Klein 2015, section 6.2",
        blocks: &[schadd(&[Depth], &[STATIC, SP_MCTS])],
    },
    Table {
        name: "samegame-6.3",
        aliases: &[],
        title: "The third average: 3rdAvg",
        reference: "Klein 2015, section 6.3, figure 6.2",
        blocks: &[schadd(&[Depth], &[STATIC, SP_MCTS, THIRD])],
    },
    Table {
        name: "samegame-6.4",
        aliases: &[],
        title: "The weight of the bonus for a cleared board",
        reference: "Klein 2015, section 6.4",
        blocks: &[schadd(
            &[Depth],
            &[
                STATIC,
                v("Bonus-0.0", [2287, 2620, 2970], &[29.74]),
                v("Bonus-0.5", [2328, 2645, 2979], &[30.96]),
                v("Bonus-0.8", [2352, 2646, 2957], &[30.87]),
            ],
        )],
    },
    Table {
        name: "samegame-6.5",
        aliases: &[],
        title: "UCB1-TUNED, pruning, and the maximum as a guide",
        reference: "Klein 2015, section 6.5, figure 6.4",
        blocks: &[schadd(
            &[Depth],
            &[
                STATIC,
                v("UCB1-Tuned", [2324, 2637, 2954], &[30.93]),
                UNPRUNED,
                v("StatePruning", [2343, 2657, 2996], &[27.01]),
                TOP,
            ],
        )],
    },
    Table {
        name: "samegame-6.6",
        aliases: &[],
        title: "Tree policies on the standard boards, shorter and longer",
        reference: "Klein 2015, section 6.6, figures 6.5 and 6.6",
        blocks: &[
            standard(
                SHORT,
                &[Depth, Nodes, Terminals, MaxDepth],
                &[
                    v("Static", [1053, 1357, 1649], &[8.05, 12450.0, 0.03, 12.77]),
                    v("Global", [1309, 1614, 1907], &[14.76, 15493.0, 211.0, 23.63]),
                    v("SP-MCTS", [1049, 1355, 1758], &[7.29, 12051.0, 0.0, 12.21]),
                    v("3rdAvg", [1143, 1446, 1772], &[8.56, 12431.0, 29.49, 14.19]),
                ],
            ),
            standard(
                LONG,
                &[Depth, Nodes, Terminals, MaxDepth],
                &[
                    STATIC_LONG,
                    v("Global", [1526, 1915, 2377], &[45.65, 519987.0, 106949.0, 52.10]),
                    v("SP-MCTS", [1831, 2240, 2625], &[41.83, 418666.0, 76805.0, 52.33]),
                    v("3rdAvg", [1956, 2290, 2638], &[41.25, 364441.0, 63562.0, 52.51]),
                ],
            ),
        ],
    },
    Table {
        name: "samegame-6.7",
        aliases: &["samegame-B.1"],
        title: "Detection of duplicates: Naive, Dynamic, Consistent",
        reference: "Klein 2015, section 6.7, figures 6.7 to 6.9 and B.1 to B.4",
        blocks: &[
            schadd(
                &[Depth, MaxDepth, HitCount, HitDepth, Suboptimal],
                &[
                    STATIC,
                    v("Naive", [2357, 2698, 3034], &[27.20, 39.87, 55277.0, 31.32, 4461.0]),
                    v("Dynamic", [2404, 2714, 3034], &[27.20, 39.86, 55374.0, 30.40, 1575.0]),
                    v("Consistent", [2367, 2700, 3031], &[26.91, 39.78, 50068.0, 29.78, 1813.0]),
                ],
            ),
            standard(
                LONG,
                &[Depth, Nodes, Terminals, MaxDepth, HitCount, HitDepth],
                &[
                    STATIC_LONG,
                    v(
                        "Naive",
                        [1705, 1984, 2280],
                        &[41.38, 228078.0, 1533.0, 50.68, 511201.0, 44.07],
                    ),
                    v(
                        "Dynamic",
                        [1635, 2019, 2371],
                        &[39.21, 233379.0, 1872.0, 55.19, 508889.0, 43.13],
                    ),
                    v(
                        "Consistent",
                        [1658, 2145, 2650],
                        &[39.53, 236730.0, 1557.0, 55.77, 486840.0, 43.22],
                    ),
                ],
            ),
        ],
    },
    Table {
        name: "samegame-6.8",
        aliases: &[],
        title: "Resources per move",
        reference: "Klein 2015, section 6.8, figures 6.10 and 6.11",
        blocks: &[
            schadd(
                &[Depth],
                &[
                    STATIC,
                    v("Uniform", [2181, 2557, 2956], &[30.43]),
                    v("Linear", [2304, 2647, 3009], &[30.56]),
                    v("Exponential", [2378, 2707, 3040], &[29.61]),
                    v("Uniform+", [2184, 2600, 3005], &[30.43]),
                    v("Linear+", [2380, 2728, 3063], &[29.92]),
                    EXPONENTIAL,
                ],
            ),
            standard(
                LONG,
                &[Depth, Nodes, Terminals, MaxDepth],
                &[
                    STATIC_LONG,
                    v("Uniform", [1720, 2097, 2438], &[30.47]),
                    v("Linear", [1764, 2078, 2410], &[39.08]),
                    v("Exponential", [1708, 2081, 2491], &[39.24]),
                    v("Uniform+", [1765, 2120, 2484], &[29.38]),
                    v("Linear+", [1790, 2105, 2467], &[37.47]),
                    v("Exponential+", [1797, 2169, 2576], &[40.05]),
                ],
            ),
        ],
    },
    Table {
        name: "samegame-6.9.1",
        aliases: &[],
        title: "Explorative factor by depth: depth block, late urgency",
        reference: "Klein 2015, section 6.9.1, figures 6.13 to 6.15",
        blocks: &[schadd(
            &[Depth],
            &[
                STATIC,
                v("DepthBlock30", [2350, 2670, 2996], &[28.27]).named("depth 30"),
                v("DepthBlock1.9", [2382, 2696, 3010], &[23.03]).named("length / 1.9"),
                DEPTH_BLOCK.named("length / 2.0"),
                v("DepthBlock2.5", [2398, 2689, 2990], &[16.39]).named("length / 2.5"),
                v("DepthBlockLU", [2418, 2724, 3021], &[22.09]).named("length / 2.0, LU"),
            ],
        )],
    },
    Table {
        name: "samegame-6.9.2",
        aliases: &[],
        title: "Explorative factor by terminal nodes: LeafBlock, CNode, Rapid",
        reference: "Klein 2015, section 6.9.2, figures 6.16 to 6.24",
        blocks: &[schadd(
            &[Depth, Terminals],
            &[
                STATIC_TERMINALS,
                DEPTH_BLOCK,
                v("LeafBlock", [2394, 2713, 3025], &[19.16, 207.8]),
                v("LeafBlockLU", [2398, 2723, 3048], &[19.61, 232.6]),
                v("LeafBlockLUntn", [2404, 2725, 3048], &[19.54, 232.0]),
                CNODE,
                CNODE_LU,
                v("Rapid", [2368, 2713, 3054], &[18.65, 311.5]),
                v("Consistent", [2367, 2700, 3031], &[26.91, 326.9]),
                CONSISTENT_CNODE,
            ],
        )],
    },
    Table {
        name: "samegame-B.2",
        aliases: &[],
        title: "CNode with a cooling explorative factor: SA-UCT",
        reference: "Klein 2015, section 6.9.2, figures 6.25 and B.5",
        blocks: &[schadd(
            &[Depth, Terminals],
            &[
                STATIC_TERMINALS,
                v("SA-Linear1000", [2330, 2609, 2917], &[8.91, 60.8]).named("Linear 1000"),
                v("SA-Linear500", [2448, 2713, 2986], &[13.48, 85.1]).named("Linear 500"),
                v("SA-Linear250", [2480, 2776, 3072], &[17.62, 105.0]).named("Linear 250"),
                v("SA-Linear200", [2506, 2786, 3064], &[18.45, 112.2]).named("Linear 200"),
                v("SA-Linear180", [2491, 2789, 3083], &[18.91, 109.7]).named("Linear 180"),
                v("SA-Exponential1000", [2468, 2773, 3051], &[17.36, 128.0])
                    .named("Exponential 1000"),
                v("SA-Exponential500", [2507, 2794, 3069], &[18.19, 143.4])
                    .named("Exponential 500"),
                v("SA-Exponential300", [2498, 2783, 3061], &[18.64, 154.0])
                    .named("Exponential 300"),
                v("SA-Exponential256", [2530, 2807, 3091], &[18.63, 159.0])
                    .named("Exponential 256"),
                v("SA-Exponential200", [2462, 2768, 3070], &[18.76, 163.9])
                    .named("Exponential 200"),
            ],
        )],
    },
    Table {
        name: "samegame-6.10.1",
        aliases: &["samegame-B.3"],
        title: "The third average with the move's own score: 3rdAvg+",
        reference: "Klein 2015, section 6.10.1, figures 6.26 and B.6",
        blocks: &[schadd(&[Depth], &[STATIC, THIRD, v("3rdAvg+", [2331, 2649, 2976], &[29.92])])],
    },
    Table {
        name: "samegame-6.10.2",
        aliases: &[],
        title: "The maximum as a guide, without the bonus",
        reference: "Klein 2015, section 6.10.2, figure 6.28",
        blocks: &[schadd(
            &[Depth],
            &[
                STATIC,
                TOP.named("StaticTop"),
                v("TopScore+:c=0.12", [2329, 2750, 3138], &[24.88]).named("StaticTop+, C = 0.12"),
                v("TopScore+:c=0.09", [2256, 2675, 3054], &[29.79]).named("StaticTop+, C = 0.09"),
                v("3rdTop:c=0.195", [2268, 2664, 3048], &[31.43]).named("3rdTop, C = 0.195"),
                v("3rdTop:c=0.21", [2319, 2699, 3053], &[29.88]).named("3rdTop, C = 0.21"),
                v("Top3rdAvg:c=0.141", [2408, 2782, 3123], &[30.94]).named("Top3rdAvg, C = 0.141"),
                v("Top3rdAvg:c=0.148", [2365, 2786, 3145], &[30.06]).named("Top3rdAvg, C = 0.148"),
            ],
        )],
    },
    Table {
        name: "samegame-7.0.3",
        aliases: &[],
        title: "Combined: Base with 3rdAvg",
        reference: "Klein 2015, section 7.0.3",
        blocks: &[schadd(&[Depth], &[STATIC, CONSISTENT_CNODE.named("Base"), THIRD, BASE_THIRD])],
    },
    Table {
        name: "samegame-7.0.4",
        aliases: &[],
        title: "Combined: with resources per move",
        reference: "Klein 2015, section 7.0.4",
        blocks: &[schadd(&[Depth], &[STATIC, BASE_THIRD, BASE_THIRD_EXP])],
    },
    Table {
        name: "samegame-7.0.5",
        aliases: &["samegame-B.4"],
        title: "Combined: with a tabu colour in simulations",
        reference: "Klein 2015, section 7.0.5, figure 7.1 and section B.4",
        blocks: &[schadd(
            &[Depth],
            &[
                STATIC,
                BASE_THIRD,
                v("Base3rdAvgExp+", [2721, 3026, 3312], &[19.26]),
                v("Base3rdAvgExp+Tabu", [3072, 3303, 3504], &[20.03]),
                TABU,
            ],
        )],
    },
    Table {
        name: "samegame-7.0.6",
        aliases: &["samegame-B.5"],
        title: "Combined: random simulations for the last blocks",
        reference: "Klein 2015, section 7.0.6, figure 7.2 and section B.5",
        blocks: &[schadd(
            &[Depth],
            &[
                STATIC,
                TABU,
                v("BaseExp+Tabu32", [3149, 3339, 3523], &[19.55]),
                TABU48,
                v("BaseExp+Tabu64", [3149, 3333, 3507], &[19.41]),
            ],
        )],
    },
    Table {
        name: "samegame-8.1",
        aliases: &[],
        title: "Compared with others: random simulations; Meta 5 is the column max",
        reference: "Klein 2015, figure 8.1",
        blocks: &[schadd(&[Depth, Terminals], &[STATIC, BASE_THIRD_EXP, CONSISTENT_CNODE])],
    },
    Table {
        name: "samegame-8.2",
        aliases: &[],
        title: "Compared with others: weighted simulations; Meta 5 is the column max",
        reference: "Klein 2015, figure 8.2",
        blocks: &[schadd(&[Depth], &[STATIC, TABU48])],
    },
];
