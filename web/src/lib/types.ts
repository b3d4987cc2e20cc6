// What the server answers; /api/openapi.json describes it.

export interface Cell {
  text: string;
  ink: string;
}

export interface Fact {
  name: string;
  value: string | number;
}

export type Control = 'point' | 'pick' | 'slide' | 'name';

export interface View {
  rows: number;
  cols: number;
  cells: Cell[];
  row_labels: string[];
  col_labels: string[];
  facts: Fact[];
  control: Control;
}

/** A legal move with the cells it touches. */
export interface Legal {
  text: string;
  cells: number[];
  reward: number;
}

/** Where a piece is: a cell, the fact that counts a store, or off the board. */
export type Spot = number | string | null;

/** The way of one piece between two drawings. */
export interface Movement {
  from: Spot;
  to: Spot;
  /** Movements of a lower number begin first. */
  order: number;
  kind: 'slide' | 'merge' | 'fall' | 'turn' | 'appear' | 'vanish' | 'sow';
}

/** A move that was played, and the position it led to. */
export interface Step {
  player: number;
  action: string;
  cells: number[];
  chance: string | null;
  reward: number;
  position: string | null;
  /** How the pieces moved; not told of moves long ago. */
  motion: Movement[] | null;
}

/** A position and all that can be done in it. */
export interface Sheet {
  game: string;
  players: number;
  fewest_moves: boolean;
  start: string;
  position: string;
  to_move: number | null;
  over: boolean;
  winner: number | null;
  total: number;
  view: View;
  /** The cells that decided the game, such as a winning four. */
  winning: number[];
  actions: Legal[];
  played: Step[];
}

export interface Parameter {
  name: string;
  /** `int`, `float`, `choice`, `duration`, `text` or `path`. */
  type: string;
  default?: string | number;
  /** What is done where there is no default. */
  default_rule?: string;
  help: string;
}

export interface Named {
  name: string;
  about: string;
  parameters: Parameter[];
}

/** A solver of one variant. */
export interface Usable extends Named {
  /** Why it cannot be used. */
  unusable: string | null;
}

/** An agent of one variant. */
export interface Agent extends Usable {
  /** The setting with which it uses a whole time limit. */
  until_stopped: string | null;
}

export interface GameInfo {
  name: string;
  spec: string;
  form: string | null;
  title: string;
  about: string;
  players: number;
  parameters: Parameter[];
  samples: string[];
  daily: boolean;
  /** Ways in which its boards are read from pictures; none where they are not. */
  pictures: string[];
  /** The kind of its puzzle of the day. */
  puzzle: PuzzleKind | null;
  solvers: Named[];
  agents: Named[];
}

/** A game with its variant, and who is asked when a person has chosen nobody. */
export interface Game extends GameInfo {
  solvers: Usable[];
  agents: Agent[];
  solver: string | null;
  opponent: string | null;
  adviser: string | null;
  levels: Level[];
  /** The agent that plays perfectly from the start, where there is one. */
  perfect: string | null;
}

/** A level of play that people understand. */
export interface Level {
  level: number;
  title: string;
  agent: string;
}

/** The puzzle of a day. */
export interface Puzzle {
  game: string;
  date: string;
  kind: PuzzleKind;
  position: string;
  /** The only move that wins, and what every move comes to. */
  best: string | null;
  moves: { action: string; result: 'win' | 'draw' | 'loss' }[];
  /** The points to reach. */
  par: number | null;
  solver: string;
}

export type PuzzleKind = 'only-move' | 'par';

export interface Catalogue {
  version: string;
  today: string;
  games: GameInfo[];
  best_known: Record<string, number>;
  limits: { time_ms: number | null; memory: number; threads: number };
}

/** Which position a request is about. */
export interface Place {
  game?: string;
  position?: string;
  date?: string;
  /** The puzzle of a day. */
  puzzle?: string;
  random?: number;
  plies?: number;
  record?: string;
  seed?: number;
  moves?: (string | { action: string; chance?: string | null })[];
}

/** A move in a reply: its text, or column and row. */
export type Move = string | [number, number];

/** A move that an agent thought about. */
export interface Considered {
  action: Move;
  value: number | null;
  visits: number | null;
  prior: number | null;
  /** Whether the value is exact. */
  proven?: boolean;
}

/** A node of an agent's search tree: the move or nature's outcome that leads there. */
export interface Grown {
  action: Move | null;
  chance: string | null;
  visits: number | null;
  value: number | null;
  prior: number | null;
  /** What the selection rule makes of the way here. */
  score: number | null;
  /** What the network alone says of the position. */
  evaluation: number | null;
  /** The part of the visits of the node above. */
  share: number | null;
  proven: boolean;
  children: Grown[];
}

/** What an agent thought of a move that it played. */
export interface Thought {
  agent: string;
  report: Report;
  time_ms: number;
}

/** What searches tell, while they run and at their end. */
export interface Report {
  moves?: Move[] | null;
  length?: number | null;
  value?: number | null;
  bound?: number | null;
  lower_bound?: number | null;
  upper_bound?: number | null;
  score?: number;
  cleared?: boolean;
  proven?: boolean;
  solver?: string;
  stage?: string;
  nodes?: number;
  time_ms?: number;
  stopped?: boolean;
  /** Exact values of moves to the mover, or their bounds. */
  values?: Record<string, number | [number, number]>;
  /** What they count: `score`, `discs` or `result`. */
  unit?: string;
  /** What moves of a puzzle lose. */
  costs?: { action: Move; cost: number | [number, number]; proven: boolean }[];
  best?: Move;
  considered?: Considered[];
  tree?: Grown[];
  line?: string[];
  depth?: number;
}

export interface Evaluation {
  game: string;
  solver: string;
  budget: string;
  suite: string;
  begun: number;
  runs: number;
  solved: number;
  proven: number;
  measure: 'moves' | 'score';
  mean: number | null;
  interval: [number, number] | null;
  min: number | null;
  max: number | null;
}

/** An agent's rating from all its games. */
export interface RatingRow {
  agent: string;
  elo: number | null;
  interval: [number, number] | null;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  /** Why there is no rating. */
  note: string | null;
}

export interface Contest {
  game: string;
  ratings: RatingRow[];
}

/** A game between agents. */
export interface ArenaGame {
  game: string;
  first: string;
  second: string;
  score: string;
  reason: string | null;
  start: string;
  moves: string[];
  finished: number;
}

export interface Run {
  name: string;
  written: number;
  config: Record<string, string>;
  blocks: number;
  points: Record<string, number>[];
}
