// The page API: the list of endpoints, read from the API's own description.

import { ask } from "./ask.js";
import { byId, element } from "./elements.js";

/** @type {{paths: Record<string, Record<string, {summary?: string}>>}} */
const description = await ask("/api/openapi.json");
const rows = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, about]) =>
    element(
      "tr",
      {},
      element("td", { class: "mono", text: method.toUpperCase() }),
      element("td", { class: "mono", text: path }),
      element("td", { text: about.summary ?? "" }),
    ),
  ),
);
byId("endpoints", HTMLTableElement).tBodies[0].replaceChildren(...rows);
