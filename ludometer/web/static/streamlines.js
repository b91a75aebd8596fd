// Lines that follow a field of velocities, evenly spread.

const CELLS = 22; // along each side of the grid that keeps lines apart
const STEP = 0.008; // of a line, in panel coordinates
const MOST_STEPS = 90; // in each direction
const FEWEST_POINTS = 7;
const SLOWEST = 1e-4; // a line ends where the field is slower
const STRIDE = 181; // between places where lines begin; prime to the number of cells, so all are visited

/** @typedef {(x: number, y: number) => Api.Point|null} Field */

/**
 * The velocity between the points of a grid; null outside.
 *
 * @param {Api.VelocityGrid} grid
 * @returns {Field}
 */
function velocityOf(grid) {
  const rows = grid.up.length;
  const columns = grid.up[0].length;
  return (x, y) => {
    const u = ((x - grid.x[0]) / (grid.x[1] - grid.x[0])) * (columns - 1);
    const v = ((y - grid.y[0]) / (grid.y[1] - grid.y[0])) * (rows - 1);
    if (!(u >= 0 && v >= 0 && u <= columns - 1 && v <= rows - 1)) return null;
    const [column, row] = [Math.min(columns - 2, Math.floor(u)), Math.min(rows - 2, Math.floor(v))];
    const [right, above] = [u - column, v - row];
    const corners = [
      [column, row, (1 - right) * (1 - above)],
      [column + 1, row, right * (1 - above)],
      [column, row + 1, (1 - right) * above],
      [column + 1, row + 1, right * above],
    ];
    let [across, up, weight] = [0, 0, 0];
    for (const [atColumn, atRow, share] of corners) {
      const [cornerAcross, cornerUp] = [grid.across[atRow][atColumn], grid.up[atRow][atColumn]];
      if (cornerAcross === null || cornerUp === null || share === 0) continue;
      across += share * cornerAcross;
      up += share * cornerUp;
      weight += share;
    }
    return weight > 0.5 ? [across / weight, up / weight] : null;
  };
}

/**
 * A point a step further along a velocity.
 *
 * @param {Api.Point} point
 * @param {Api.Point} velocity
 * @param {number} length
 * @returns {Api.Point}
 */
function stepped([x, y], [across, up], length) {
  const speed = Math.hypot(across, up) || 1;
  return [x + (length * across) / speed, y + (length * up) / speed];
}

/**
 * The points of a line from a place on, until it leaves the panel, stands still or comes near another line.
 *
 * @param {Field} field
 * @param {Api.Point} start
 * @param {number} direction 1 along the field, -1 against it
 * @param {(place: Api.Point) => boolean} mayEnter
 */
function follow(field, start, direction, mayEnter) {
  /** @type {Api.Point[]} */
  const points = [];
  let here = start;
  for (let count = 0; count < MOST_STEPS; count += 1) {
    const speed = field(...here);
    if (!speed || Math.hypot(...speed) < SLOWEST) break;
    const halfway = field(...stepped(here, speed, (direction * STEP) / 2)) ?? speed;
    here = stepped(here, halfway, direction * STEP);
    if (!field(...here) || !mayEnter(here)) break;
    points.push(here);
  }
  return points;
}

/** Lines along a field, none too near another. @param {Api.VelocityGrid} grid */
export function streamlines(grid) {
  const field = velocityOf(grid);
  const top = grid.y[1];
  const taken = new Uint8Array(CELLS * CELLS);
  /** @param {Api.Point} place */
  const cellOf = ([x, y]) =>
    Math.min(CELLS - 1, Math.floor(x * CELLS)) + CELLS * Math.min(CELLS - 1, Math.floor((y / top) * CELLS));
  /** @type {Api.Point[][]} */
  const found = [];
  for (let number = 0; number < CELLS * CELLS; number += 1) {
    const cell = (number * STRIDE) % (CELLS * CELLS);
    /** @type {Api.Point} */
    const start = [((cell % CELLS) + 0.5) / CELLS, ((Math.floor(cell / CELLS) + 0.5) / CELLS) * top];
    if (taken[cell] || !field(...start)) continue;
    const own = new Set([cell]);
    const mayEnter = (/** @type {Api.Point} */ place) => {
      const entered = cellOf(place);
      if (taken[entered] && !own.has(entered)) return false;
      own.add(entered);
      return true;
    };
    const ahead = follow(field, start, 1, mayEnter);
    const stream = [...follow(field, start, -1, mayEnter).reverse(), start, ...ahead];
    if (stream.length < FEWEST_POINTS) continue;
    for (const each of own) taken[each] = 1;
    found.push(stream);
  }
  return found;
}
