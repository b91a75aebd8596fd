// Questions to the API.

/** An error that the server put into words. */
export class Problem extends Error {
  /** @param {number} status @param {string} detail */
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/**
 * The JSON that the API answers with, null if the answer is empty.  Throws Problem with words for people.
 *
 * @param {string} path
 * @param {{method?: string, body?: unknown}} [options]
 * @returns {Promise<any>}
 */
export async function ask(path, { method = "GET", body = undefined } = {}) {
  const content =
    body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let answer;
  try {
    answer = await fetch(path, { method, ...content });
  } catch {
    throw new Problem(0, "The lab does not answer. Is `ludometer serve` still running?");
  }
  if (answer.status === 204) return null;
  let found;
  try {
    found = await answer.json();
  } catch {
    throw new Problem(answer.status, `The lab answered ${answer.status} with something that is not JSON.`);
  }
  if (!answer.ok) throw new Problem(answer.status, found.detail ?? `The lab answered ${answer.status}.`);
  return found;
}

/** POST to the API. @param {string} path @param {unknown} [body] @returns {Promise<any>} */
export const post = (path, body) => ask(path, { method: "POST", body });
