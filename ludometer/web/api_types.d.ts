// Types of what the lab's API answers, for the checker of the scripts in static/.  Nothing of this file
// reaches a browser.

declare namespace Api {
  /** A thing to paint. `numbers` are in board units. */
  type Shape = [kind: string, role: string, numbers: number[], text: string];
  type Area = [name: string, x: number, y: number, width: number, height: number, holds: string];

  interface BoardMove {
    move: string;
    picks: string[];
    shifts: [string, string][];
    spot: [number, number, number];
  }

  interface Board {
    width: number;
    height: number;
    shapes: Shape[];
    areas: Area[];
    moves: BoardMove[];
    target: string;
    mark: Shape | null;
  }

  interface Look {
    fill: string;
    stroke: string;
    width: number;
    line: number;
    corner: number;
    shadow: string;
    dashed: boolean;
    fill_opacity: number;
    stroke_opacity: number;
  }

  type MoveReport = Record<string, number | string | null>;

  interface GameState {
    id: string;
    version: number;
    serial: number;
    game: string;
    title: string;
    sides: string[];
    players: string[];
    levels: string[];
    start: string;
    moves: string[];
    movers: number[];
    reports: (MoveReport | null)[];
    position: string;
    turn: number | null;
    result: string | null;
    ended: string | null;
    verdict: string | null;
    margin: number | null;
    thinking: { side: number; agent: string; since: number } | null;
    can: { undo: boolean; redo: boolean; resign: boolean; hint: boolean };
    pace: number;
    paused: boolean;
    message: string;
    board: Board;
  }

  interface RecentGame {
    id: string;
    game: string;
    players: string[];
    moves: number;
    result: string | null;
  }

  interface Hint {
    version: number;
    move: string;
    exact: boolean;
    text: string;
  }

  interface PastPosition {
    ply: number;
    position: string;
    board: Board;
  }

  interface GameFamily {
    kind: string;
    name: string;
    syntax: string;
    games: string[];
    canonical: string[];
    simultaneous: boolean;
  }

  interface OptionField {
    name: string;
    help: string;
    type: "switch" | "choice" | "number" | "text";
    default: boolean | number | string;
    choices: string[];
    least: number | null;
    most: number | null;
    whole: boolean;
  }

  interface AgentForm {
    name: string;
    title: string;
    main: string;
    options: OptionField[];
  }

  interface GameDescription {
    game: string;
    sides: string[];
    simultaneous: boolean;
    position_help: string;
    levels: { name: string; hint: string; agent: string }[];
    agents: AgentForm[];
  }

  interface SetupPart {
    name: string;
    value: string;
    values: string[];
    on_board: boolean;
    only_when_taken: boolean;
  }

  interface Setup {
    parts: SetupPart[];
    pictures: Record<string, Shape>;
    board: Board;
  }

  /** A position with its drawing. */
  interface DrawnPosition {
    game: string;
    position: string;
    turn: string | null;
    result: string | null;
    sides: string[];
    board: Board;
    setup: Setup | null;
  }

  interface MoveValue {
    move: string;
    value: string | number | null;
    distance?: number | null;
    margin?: number;
    label: string;
    text: string;
    colour: string;
    ink: string;
    visits?: number;
  }

  interface Analysis {
    kind: "" | "exact" | "mcts" | "search";
    text: string;
    work: string;
    moves: MoveValue[];
    best?: string[];
    line: string[];
    done: boolean;
    error: string;
  }

  interface Judgement {
    move: string;
    player: number;
    exact: boolean;
    text: string;
    best: string[];
    best_text: string;
    mark: "" | "blunder" | "slip";
    height: number;
  }

  interface Review {
    game: string;
    sides?: string[];
    moves: string[];
    scored: boolean;
    rows: Judgement[];
    final: number | null;
    kind: "" | "exact" | "estimate";
    done: boolean;
    error: string;
  }

  interface SearchTree {
    nodes: number;
    depth: number;
    pruned: number;
    line: string[];
  }

  /** A table of texts; `left` are the numbers of the columns that hold words. */
  interface Table {
    caption: string;
    head: string[];
    rows: string[][];
    left: number[];
  }

  interface Axis {
    label: string;
    scale: "linear" | "log" | "zero-log";
    format: "number" | "percent" | "whole";
  }

  /** x, y, and the ends of an interval, which may be missing or open. */
  type CurvePoint = [x: number, y: number, low?: number | null, high?: number | null];

  interface CurveSeries {
    name: string;
    points: CurvePoint[];
    band?: boolean;
    loose?: boolean;
  }

  interface CurvesChart {
    kind: "curves";
    title: string;
    x: Axis;
    y: Axis;
    series: CurveSeries[];
    lines: { at: number; name: string }[];
  }

  interface IntervalsChart {
    kind: "intervals";
    title: string;
    x: Axis;
    rows: { name: string; value: number; low: number | null; high: number | null }[];
  }

  interface BarsChart {
    kind: "bars";
    title: string;
    x: Axis;
    y: Axis;
    labels: string[];
    series: { name: string; values: number[] }[];
  }

  interface CountsChart {
    kind: "counts";
    title: string;
    x: Axis;
    y: Axis;
    series: { name: string; points: [number, number][] }[];
  }

  type Chart = CurvesChart | IntervalsChart | BarsChart | CountsChart;

  interface Progress {
    done?: number;
    total?: number;
    text?: string;
    rate?: number | null;
    left?: number | null;
  }

  type JobState = "queued" | "running" | "done" | "stopped" | "failed";

  interface Job {
    job: string;
    kind: string;
    title: string;
    games: string[];
    state: JobState;
    created: number;
    seconds: number;
    run: number | null;
    progress: Progress;
    error: string;
  }

  interface Run {
    run: number;
    kind: string;
    game: string;
    players: string[];
    games: number;
    done: number;
    started: string;
    seconds: number;
    state: JobState;
    unit_size?: number;
  }

  /** A run with all there is to show of it. */
  interface ShownRun extends Run {
    headline: string;
    tables: Table[];
    charts: Chart[];
    notes: string[];
    text: string;
  }

  interface PlayedGame {
    game: number;
    first: string;
    second: string;
    result: string;
    length: number;
  }

  interface SolvedGame {
    game: string;
    bytes: number;
    error: string;
    states?: number | null;
    kept?: string;
  }

  interface SolvableGame {
    game: string;
    title: string;
    solved: boolean;
    from_here: boolean;
    forecast: string;
  }

  interface SolvedAnalysis {
    game: string;
    start_text: string;
    states: number | null;
    win: number;
    loss: number;
    draw: number;
    kept: string;
    charts: Chart[];
  }

  interface LineStep {
    position: string;
    move: string;
    turn: string | null;
    value: string;
    result: string | null;
  }

  interface SolvedLines {
    lines: { title: string; steps: LineStep[] }[];
    note: string;
    longest: number | null;
  }

  interface NamedMatrixGame {
    game: string;
    title: string;
    rows: string[];
    columns: string[];
    payoffs: [string, string][][];
    symmetric: boolean;
  }

  /** Velocities on a grid; null outside the panel. */
  interface VelocityGrid {
    x: [number, number];
    y: [number, number];
    across: (number | null)[][];
    up: (number | null)[][];
  }

  type Point = [number, number];

  interface FieldPanel {
    shape: "square" | "triangle";
    x: string;
    y: string;
    who: string;
    remark: string;
    corners: string[];
    grid: VelocityGrid;
    paths: Point[][];
    learners: Point[][];
    separatrices: Point[][];
    rest_points: { x: number; y: number; kind: string; text: string }[];
    equilibria: { x: number; y: number; text: string }[];
  }

  interface Dynamics {
    headline: string;
    panels: FieldPanel[];
    tables: { equilibria: Table; rest_points: Table; learners: Table | null };
    dominance: string;
    equilibria: unknown[];
    rest_points: unknown[];
  }

  interface StudyCurve {
    label: string;
    x: number[];
    y: (number | null)[];
    low: (number | null)[];
    high: (number | null)[];
    reported_x?: number[];
    reported_y?: (number | null)[];
  }

  interface StudyFigure {
    title: string;
    x_label: string;
    y_label: string;
    x_scale: string;
    y_scale: string;
    curves: StudyCurve[];
  }

  interface Finding {
    study: string;
    item: string;
    title: string | null;
    where: string | null;
    settings: string | null;
    effort: string | null;
    reported: unknown;
    measured: unknown;
    interval: unknown[] | null;
    verdict: string;
    note: string | null;
    figures: StudyFigure[];
    origin: string;
  }
}
