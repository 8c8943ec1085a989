"use strict";
(() => {
  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // --- the table of anchors: filter and sort ---------------------------------------------------
  const table = one("#anchor-table");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const text = one("#filter-text"), section = one("#filter-section"), verdict = one("#filter-verdict");

  function filter() {
    const wanted = text.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const fits = (!wanted || row.textContent.toLowerCase().includes(wanted))
        && (!section.value || row.dataset.section === section.value)
        && (!verdict.value || row.dataset.verdicts.split(" ").includes(verdict.value));
      row.hidden = !fits;
      shown += fits;
    }
    one("#filter-count").textContent = `${shown} of ${rows.length} anchors`;
  }

  function sort(button) {
    const head = button.parentElement, column = head.cellIndex;
    const down = head.getAttribute("aria-sort") === "ascending";
    all("th", table.tHead).forEach(other => other.setAttribute("aria-sort", "none"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const cast = button.dataset.sort === "number" ? Number : String;
    const key = row => cast(row.cells[column].dataset.key);
    const compare = (a, b) => (key(a) > key(b)) - (key(a) < key(b));
    body.append(...[...rows].sort((a, b) => (down ? -1 : 1) * compare(a, b)));
  }

  one(".filters").addEventListener("submit", event => event.preventDefault());
  text.addEventListener("input", filter);
  for (const select of [section, verdict]) select.addEventListener("change", filter);
  table.tHead.addEventListener("click", event => {
    const button = event.target.closest("button");
    if (button) sort(button);
  });

  // --- the graph: zoom, keys, and what is near a claim -------------------------------------------
  const box = one("#graph-box"), drawing = one("#graph-drawing");
  const nodes = all(".node", drawing), edges = all(".edges path", drawing);
  const byId = new Map(nodes.map(node => [node.dataset.id, node]));
  const full = drawing.viewBox.baseVal;
  let scale = drawing.getAttribute("width") / full.width;

  function zoom(to) {
    const middle = (box.scrollLeft + box.clientWidth / 2) / scale;
    scale = Math.min(3, Math.max(0.15, to));
    drawing.setAttribute("width", full.width * scale);
    drawing.setAttribute("height", full.height * scale);
    box.scrollLeft = middle * scale - box.clientWidth / 2;
  }

  function place(node) {
    const at = node.transform.baseVal.consolidate().matrix;
    return [at.e, at.f];
  }

  function reach(start, step) {
    const found = new Set([start]), queue = [start];
    while (queue.length) for (const next of step(queue.pop())) if (!found.has(next)) { found.add(next); queue.push(next); }
    return found;
  }

  const uses = id => byId.get(id)?.dataset.uses.split(" ").filter(name => byId.has(name)) ?? [];
  const carries = id => byId.get(id)?.dataset.carries.split(" ").filter(name => byId.has(name)) ?? [];
  const users = new Map(nodes.map(node => [node.dataset.id, []]));
  for (const node of nodes) for (const name of uses(node.dataset.id)) users.get(name).push(node.dataset.id);

  function bringForward(ids) {
    drawing.classList.toggle("dimmed", ids !== null);
    nodes.forEach(node => node.classList.toggle("near", ids !== null && ids.has(node.dataset.id)));
    edges.forEach(edge => edge.classList.toggle("near", ids !== null && ids.has(edge.dataset.from) && ids.has(edge.dataset.to)));
  }

  function choose(id) {
    nodes.forEach(node => node.classList.toggle("chosen", node.dataset.id === id));
    bringForward(byId.has(id) ? new Set([...reach(id, uses), ...reach(id, name => users.get(name)), ...reach(id, carries)]) : null);
    if (byId.has(id)) rove(byId.get(id));
  }

  function rove(node) {
    for (const other of nodes) other.setAttribute("tabindex", other === node ? 0 : -1);
  }

  function neighbour(node, key) {
    const [x, y] = place(node);
    const along = { ArrowRight: (a, b) => [a, b], ArrowLeft: (a, b) => [-a, b], ArrowDown: (a, b) => [b, a], ArrowUp: (a, b) => [-b, a] }[key];
    let best = null, least = Infinity;
    for (const other of nodes) {
      const [a, b] = place(other);
      const [ahead, aside] = along(a - x, b - y);
      const cost = ahead + 3 * Math.abs(aside);
      if (other !== node && ahead > 1 && cost < least) { best = other; least = cost; }
    }
    return best;
  }

  drawing.addEventListener("keydown", event => {
    const node = event.target.closest(".node");
    if (!node || !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    const next = neighbour(node, event.key);
    if (next) { rove(next); next.focus(); next.scrollIntoView({ block: "nearest", inline: "nearest" }); }
  });
  one(".tools").addEventListener("click", event => {
    const button = event.target.closest("button");
    if (button) zoom(button.dataset.zoom === "fit" ? (box.clientWidth - 2) / full.width : scale * Number(button.dataset.zoom));
  });
  one("#graph-section").addEventListener("change", event => {
    const name = event.target.value;
    const chosen = nodes.filter(node => node.dataset.section === name);
    bringForward(name ? new Set(chosen.map(node => node.dataset.id)) : null);
    if (chosen.length) { const [x, y] = place(chosen[0]); box.scrollTo(x * scale - 40, y * scale - 40); }
  });

  // --- a claim in the panel --------------------------------------------------------------------
  const panel = one("#panel"), title = one("#panel-title"), inside = one("#panel-body");
  let opener = null;

  function open(id) {
    const card = document.getElementById(`claim=${id}`);
    if (!card) return false;
    if (panel.hidden) opener = document.activeElement;
    const copy = one(".card-body", card).cloneNode(true);
    copy.removeAttribute("class");
    all("[id]", copy).forEach(part => part.removeAttribute("id"));
    const numbers = one(".counterexample", document.getElementById(`finding=${id}`) ?? inside);
    if (numbers) one(".to-finding", copy).replaceWith(numbers.cloneNode(true));
    inside.replaceChildren(copy);
    title.textContent = card.dataset.claim.replaceAll("_", " ");
    panel.dataset.claim = card.dataset.claim;
    panel.hidden = false;
    panel.scrollTop = 0;
    choose(card.dataset.claim);
    title.focus({ preventScroll: true });
    return true;
  }

  function close() {
    if (panel.hidden) return;
    panel.hidden = true;
    choose(null);
    if (location.hash.startsWith("#claim=")) history.replaceState(null, "", location.pathname + location.search);
    if (opener && opener.isConnected) opener.focus({ preventScroll: true });
  }

  one("#panel-close").addEventListener("click", close);
  one("#panel-locate").addEventListener("click", () => {
    const node = byId.get(panel.dataset.claim);
    if (!node) return;
    const [x, y] = place(node);
    one("#graph").scrollIntoView();
    box.scrollTo(x * scale - box.clientWidth / 3, y * scale - box.clientHeight / 3);
    node.focus({ preventScroll: true });
  });
  document.addEventListener("keydown", event => { if (event.key === "Escape") close(); });

  // --- links that can be shared: #anchor=..., #claim=..., #finding=... ------------------------------
  function route() {
    const [kind, ...rest] = decodeURIComponent(location.hash.slice(1)).split("=");
    const name = rest.join("=");
    if (kind === "claim") { open(name); return; }
    const goal = name && document.getElementById(`${kind}=${name}`);
    if (!goal) return;
    close();
    if (kind === "anchor") {
      if (goal.hidden) { text.value = section.value = verdict.value = ""; filter(); }
      rows.forEach(row => row.classList.toggle("chosen", row === goal));
      goal.focus({ preventScroll: true });
    }
    for (let outer = goal; outer; outer = outer.parentElement) if (outer.tagName === "DETAILS") outer.open = true;
    goal.scrollIntoView({ block: "center" });
  }

  document.addEventListener("click", event => {
    const link = event.target.closest("a");
    const href = link && link.getAttribute("href");
    if (!href || !href.startsWith("#claim=") || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (location.hash !== href) history.pushState(null, "", href);
    open(decodeURIComponent(href.slice(7)));
  });
  addEventListener("popstate", () => { if (!location.hash.startsWith("#claim=")) { panel.hidden = true; choose(null); } });
  addEventListener("hashchange", route);

  rove(nodes[0]);
  route();
  document.documentElement.dataset.ready = Math.round(performance.now());
})();
