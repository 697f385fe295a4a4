// Squares, orientations and outlines. Nothing here knows what is legal.

export const SIDE = 9;
/** Length of a square's side in the units of the drawings. */
export const CELL = 20;

export type Point = readonly [column: number, row: number];

export const LETTERS = "abcdefghi";
export const squareName = (square: number): string => `${LETTERS[square % SIDE]}${Math.floor(square / SIDE) + 1}`;
export const squareOf = (column: number, row: number): number => row * SIDE + column;
export const pointOf = (square: number): Point => [square % SIDE, Math.floor(square / SIDE)];

/** The eight orientations, each as turns by 90 degrees clockwise after an optional flip. */
export interface Orientation { readonly turns: number; readonly flipped: boolean; }
export const ORIENTATIONS: readonly Orientation[] = [false, true].flatMap(
  (flipped) => [0, 1, 2, 3].map((turns) => ({ turns, flipped })));

/** The squares of a shape as printed, "X" for a square, rows separated by "/". */
export const shapeOf = (literal: string): Point[] =>
  literal.split("/").flatMap((row, y) => [...row].flatMap((mark, x) => (mark === "X" ? [[x, y] as Point] : [])));

export const sizeOf = (points: readonly Point[]): { columns: number; rows: number } =>
  ({ columns: 1 + Math.max(...points.map(([x]) => x)), rows: 1 + Math.max(...points.map(([, y]) => y)) });

/** A shape in an orientation, moved so that its first column and row are 0, and what maps the drawing of the printed
 * shape to it, for SVG. */
export function turn(shape: readonly Point[], { turns, flipped }: Orientation): { points: Point[]; matrix: string } {
  // x' = a x + c y, y' = b x + d y
  const [p, q, c, d] = ([[1, 0, 0, 1], [0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0]] as const)[turns & 3]!;
  const [a, b] = flipped ? [-p, -q] : [p, q];
  const mapped = shape.map(([x, y]) => [a * x + c * y, b * x + d * y] as const);
  const left = Math.min(...mapped.map(([x]) => x));
  const top = Math.min(...mapped.map(([, y]) => y));
  const points = mapped.map(([x, y]) => [x - left, y - top] as Point).sort(([x, y], [u, v]) => y - v || x - u);
  // A square at (x, y) covers (x..x+1, y..y+1); where an axis is mirrored its far edge becomes its near one.
  const [e, f] = [-left - Math.min(0, a + c), -top - Math.min(0, b + d)];
  return { points, matrix: `matrix(${a} ${b} ${c} ${d} ${e * CELL} ${f * CELL})` };
}

/** The orientation in which a shape covers these squares of a quilt. */
export function orientationOf(shape: readonly Point[], squares: readonly number[]): Orientation {
  const wanted = [...squares].sort((one, two) => one - two);
  const left = Math.min(...wanted.map((square) => square % SIDE));
  const top = Math.floor(wanted[0]! / SIDE);
  const text = wanted.map((square) => square - squareOf(left, top)).join();
  const found = ORIENTATIONS.find(
    (orientation) => turn(shape, orientation).points.map(([x, y]) => squareOf(x, y)).join() === text);
  return found ?? ORIENTATIONS[0]!;
}

/** The outline of squares as an SVG path, inside them by `inset`, with round corners. The inside is on the right. */
export function outline(points: readonly Point[], inset: number, radius: number): string {
  const has = new Set(points.map(([x, y]) => `${x},${y}`));
  const inside = (x: number, y: number) => has.has(`${x},${y}`);
  const edges = new Map<string, { to: Point; from: Point }[]>();
  const add = (from: Point, to: Point) => {
    const key = from.join();
    edges.set(key, [...(edges.get(key) ?? []), { from, to }]);
  };
  for (const [x, y] of points) {
    if (!inside(x, y - 1)) add([x, y], [x + 1, y]);
    if (!inside(x + 1, y)) add([x + 1, y], [x + 1, y + 1]);
    if (!inside(x, y + 1)) add([x + 1, y + 1], [x, y + 1]);
    if (!inside(x - 1, y)) add([x, y + 1], [x, y]);
  }
  let path = "";
  while (edges.size > 0) {
    const loop: Point[] = [];
    const first = edges.values().next().value![0]!;
    let edge = first;
    for (;;) {
      const left = edges.get(edge.from.join())!;
      left.splice(left.indexOf(edge), 1);
      if (left.length === 0) edges.delete(edge.from.join());
      loop.push(edge.from);
      const next = edges.get(edge.to.join());
      if (!next) break;
      // Where two corners touch, the walk turns right, so that it stays with the same square.
      const [dx, dy] = [edge.to[0] - edge.from[0], edge.to[1] - edge.from[1]];
      edge = next.find(({ from, to }) => to[0] - from[0] === -dy && to[1] - from[1] === dx) ?? next[0]!;
      if (edge === first) break;
    }
    path += rounded(corners(loop), inset, radius);
  }
  return path;
}

/** The points of a closed walk at which it turns. */
function corners(loop: readonly Point[]): Point[] {
  return loop.filter((point, i) => {
    const before = loop[(i + loop.length - 1) % loop.length]!;
    const after = loop[(i + 1) % loop.length]!;
    return (point[0] - before[0]) * (after[1] - point[1]) !== (point[1] - before[1]) * (after[0] - point[0]);
  });
}

function rounded(loop: readonly Point[], inset: number, radius: number): string {
  const at = (i: number) => loop[(i + loop.length) % loop.length]!;
  const way = (from: Point, to: Point): Point => [Math.sign(to[0] - from[0]), Math.sign(to[1] - from[1])];
  const moved = loop.map((point, i) => {
    const [before, after] = [way(at(i - 1), point), way(point, at(i + 1))];
    // The inside lies to the right of both edges.
    return [point[0] * CELL + inset * (-before[1] - after[1]),
      point[1] * CELL + inset * (before[0] + after[0])] as Point;
  });
  let path = "";
  moved.forEach((point, i) => {
    const [before, after] = [way(at(i - 1), at(i)), way(at(i), at(i + 1))];
    const [x, y] = [point[0] - radius * before[0], point[1] - radius * before[1]];
    const [u, v] = [point[0] + radius * after[0], point[1] + radius * after[1]];
    path += `${i === 0 ? "M" : "L"}${[x, y].map(round).join(" ")}Q${[...point, u, v].map(round).join(" ")}`;
  });
  return `${path}Z`;
}

export const round = (value: number) => Math.round(value * 100) / 100;

/** The borders between the squares of a shape, as an SVG path. */
export function innerSeams(points: readonly Point[]): string {
  const has = new Set(points.map(([x, y]) => `${x},${y}`));
  let path = "";
  for (const [x, y] of points) {
    if (has.has(`${x + 1},${y}`)) path += `M${(x + 1) * CELL} ${y * CELL + 3}v${CELL - 6}`;
    if (has.has(`${x},${y + 1}`)) path += `M${x * CELL + 3} ${(y + 1) * CELL}h${CELL - 6}`;
  }
  return path;
}

/** The squares of the shape that a patch's buttons are sewn on: spread over it, nearest to its middle first. */
export function buttonSquares(points: readonly Point[], count: number): Point[] {
  const middle = [0, 1].map((i) => points.reduce((sum, point) => sum + point[i as 0 | 1], 0) / points.length);
  const away = ([x, y]: Point, [u, v]: readonly number[]) => Math.hypot(x - u!, y - v!);
  const chosen: Point[] = [];
  while (chosen.length < Math.min(count, points.length)) {
    const score = (point: Point) =>
      chosen.length === 0 ? -away(point, middle) : Math.min(...chosen.map((other) =>
        away(point, other))) - 0.1 * away(point, middle);
    const left = points.filter((point) => !chosen.includes(point));
    chosen.push(left.reduce((best, point) => (score(point) > score(best) + 1e-9 ? point : best)));
  }
  return chosen;
}

// ---- the time track: a spiral on a grid of 8 columns and 7 rows, whose last space is three squares wide

export const TRACK_COLUMNS = 8;
export const TRACK_ROWS = 7;
export const LAST_SPACE = 53;
/** The spaces with a button, at which income is paid. */
export const INCOME_SPACES: readonly number[] = [5, 11, 17, 23, 29, 35, 41, 47, 53];

/** The square of each space, from the outside to the middle; the last space begins at its square and goes right. */
export const TRACK: readonly Point[] = (() => {
  const path: Point[] = [];
  let [left, top, right, bottom] = [0, 0, TRACK_COLUMNS - 1, TRACK_ROWS - 1];
  while (path.length < LAST_SPACE) {
    for (let x = left; x <= right; x++) path.push([x, top]);
    for (let y = top + 1; y <= bottom; y++) path.push([right, y]);
    for (let x = right - 1; x >= left; x--) path.push([x, bottom]);
    for (let y = bottom - 1; y > top; y--) path.push([left, y]);
    [left, top, right, bottom] = [left + 1, top + 1, right - 1, bottom - 1];
  }
  return path.slice(0, LAST_SPACE + 1);
})();
