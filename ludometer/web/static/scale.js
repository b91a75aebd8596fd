// Axes of plots: where a value is drawn, and which values get ticks.

const STEPS = [1, 2, 5, 10]; // between ticks, times a power of ten
const OVERHANG = 0.02; // share of an axis by which a value may be drawn beyond its end

/** @typedef {Api.Axis & {isTight?: boolean}} TightAxis `isTight`: the axis ends at its outermost values */

/** A number for people. @param {number} value @param {Api.Axis["format"]} format */
export function numberText(value, format) {
  if (format === "percent") return `${+(100 * value).toFixed(1)} %`;
  if (format !== "whole" && Math.abs(value) < 10000) return String(+value.toPrecision(4));
  if (Math.abs(value) >= 1e6) return value.toExponential(0).replace("e+", "e");
  return Math.round(value).toLocaleString("en");
}

/**
 * The step between ticks for a span with at most so many of them.
 *
 * @param {number} span
 * @param {number} most
 */
function niceStep(span, most) {
  const rough = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  return STEPS.map((factor) => factor * power).find((step) => step >= rough * 0.999) ?? power;
}

/** Maps values to pixels. */
export class Scale {
  /**
   * @param {TightAxis} axis
   * @param {(number|null|undefined)[]} values that the axis shows; null and undefined are none
   * @param {number} from the pixel of the least value
   * @param {number} to the pixel of the largest value
   */
  constructor(axis, values, from, to) {
    const finite = values.filter((value) => typeof value === "number").filter(Number.isFinite);
    const positive = finite.filter((value) => value > 0);
    this.format = axis.format;
    this.isLog = axis.scale !== "linear";
    this.hasZero = axis.scale === "zero-log";
    this.leastPositive = positive.length ? Math.min(...positive) : 1;
    this.from = from;
    this.to = to;
    const [low, high] = this.ends(finite.length ? finite : [0, 1], axis.isTight ?? false);
    this.low = low;
    this.high = high;
  }

  /**
   * The least and the largest value on the axis.
   *
   * @param {number[]} values
   * @param {boolean} isTight
   * @returns {[number, number]}
   */
  ends(values, isTight) {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    if (this.isLog) return [this.foot, Math.max(high, this.leastPositive * 1.01)];
    if (this.format === "percent") return [Math.min(0, low), Math.max(1, high)];
    if (low === high) return isTight ? [low - 1, high + 1] : rounded(low - 1, high + 1);
    return isTight ? [low, high] : rounded(low, high);
  }

  /** The left end of a logarithmic axis, where 0 is drawn if the axis has it. */
  get foot() {
    return this.hasZero ? this.leastPositive / 3 : this.leastPositive;
  }

  /** A value on a linear axis. @param {number} value */
  linear(value) {
    if (!this.isLog) return value;
    return Math.log10(Math.max(value, this.hasZero ? this.foot : this.leastPositive / 1e6));
  }

  /** The pixel of a value. @param {number} value */
  at(value) {
    const [low, high] = [this.linear(this.low), this.linear(this.high)];
    const share = (this.linear(value) - low) / (high - low || 1);
    return this.from + Math.min(1 + OVERHANG, Math.max(-OVERHANG, share)) * (this.to - this.from);
  }

  /** The values of ticks, at most about so many. @param {number} most */
  ticks(most) {
    return this.isLog ? this.logTicks(most) : this.linearTicks(most);
  }

  /** @param {number} most */
  linearTicks(most) {
    const step = Math.max(niceStep(this.high - this.low, most), this.format === "whole" ? 1 : 0);
    const found = [];
    for (
      let value = Math.ceil(this.low / step - 1e-9) * step;
      value <= this.high + step * 1e-9;
      value += step
    ) {
      found.push(+value.toPrecision(12));
    }
    return found;
  }

  /** Powers of ten; of a short axis also twice and five times these. @param {number} most */
  logTicks(most) {
    const first = Math.ceil(Math.log10(this.leastPositive) - 1e-9);
    const last = Math.floor(Math.log10(this.high) + 1e-9);
    const step = Math.max(1, Math.ceil((last - first + 1) / most));
    const found = this.hasZero ? [0] : [];
    for (let power = first; power <= last; power += step) found.push(10 ** power);
    if (last - first >= 2) return found;
    for (let power = first - 1; power <= last; power += 1) {
      const between = [2, 5].map((digit) => digit * 10 ** power);
      found.push(...between.filter((value) => this.isOnAxis(value)));
    }
    return found;
  }

  /** @param {number} value */
  isOnAxis(value) {
    return value >= this.leastPositive * 0.999 && value <= this.high * 1.001;
  }
}

/** Ends of an axis at round numbers. @param {number} low @param {number} high @returns {[number, number]} */
function rounded(low, high) {
  const step = niceStep(high - low, 6);
  return [Math.floor(low / step) * step, Math.ceil(high / step) * step];
}
