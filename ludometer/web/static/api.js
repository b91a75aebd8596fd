// The page API: the list of endpoints, read from the API's own description.

import { ask, byId, element } from "./page.js";

const described = await ask("/api/openapi.json");
const rows = [];
for (const [path, methods] of Object.entries(described.paths)) {
  for (const [method, about] of Object.entries(/** @type {any} */ (methods))) {
    rows.push(element("tr", {}, element("td", { class: "mono", text: method.toUpperCase() }), element("td", { class: "mono", text: path }), element("td", { text: about.summary ?? "" })));
  }
}
byId("endpoints").tBodies[0].replaceChildren(...rows);
