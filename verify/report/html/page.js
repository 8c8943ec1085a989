"use strict";
(() => {
  const one = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // --- tables that become blocks: roles and heads, which a change of display takes away ------------
  for (const made of all(".stacks")) {
    made.setAttribute("role", "table");
    const heads = [...made.tHead.rows[0].cells].map(cell => cell.textContent);
    for (const row of made.rows) {
      row.setAttribute("role", "row");
      [...row.cells].forEach((cell, at) => {
        const kind = cell.scope === "col" ? "columnheader" : cell.scope === "row" ? "rowheader" : "cell";
        cell.setAttribute("role", kind);
        if (kind === "cell") cell.dataset.head = heads[at];
      });
    }
  }

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
        && (!section.value || row.cells[3].textContent === section.value)
        && (!verdict.value || one(`.v-${verdict.value}`, row));
      row.hidden = !fits;
      shown += Boolean(fits);
    }
    one("#filter-count").textContent = `${shown} of ${rows.length} anchors`;
  }

  function sort(button) {
    const head = button.parentElement, column = head.cellIndex;
    const down = head.getAttribute("aria-sort") === "ascending";
    all("th", table.tHead).forEach(other => other.setAttribute("aria-sort", "none"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const cast = button.dataset.sort === "number" ? Number : String;
    const key = row => cast(row.cells[column].dataset.key ?? row.cells[column].textContent);
    const compare = (a, b) => (key(a) > key(b)) - (key(a) < key(b));
    body.append(...[...rows].sort((a, b) => (down ? -1 : 1) * compare(a, b)));
  }

  for (const form of all(".filters")) form.addEventListener("submit", event => event.preventDefault());
  text.addEventListener("input", filter);
  for (const select of [section, verdict]) select.addEventListener("change", filter);
  table.tHead.addEventListener("click", event => {
    const button = event.target.closest("button");
    if (button) sort(button);
  });

  // --- the cards of the claims: filters, and tiles that set them ----------------------------------
  const cards = all("#claim-cards > .card");
  const fields = { verdict: one("#claim-verdict"), severity: one("#claim-severity"), reading: one("#claim-reading") };
  const claimText = one("#claim-text");

  function filterCards() {
    const wanted = claimText.value.trim().toLowerCase();
    let shown = 0;
    for (const card of cards) {
      const fits = (!wanted || card.textContent.toLowerCase().includes(wanted))
        && Object.entries(fields).every(([name, field]) => !field.value || card.dataset[name] === field.value);
      card.hidden = !fits;
      shown += fits;
    }
    one("#claim-count").textContent = `${shown} of ${cards.length} claims`;
  }

  function chooseCards(wanted) {
    claimText.value = "";
    for (const [name, field] of Object.entries(fields)) field.value = wanted[name] ?? "";
    filterCards();
  }

  claimText.addEventListener("input", filterCards);
  for (const field of Object.values(fields)) field.addEventListener("change", filterCards);
  for (const tile of all(".tiles a, .weights a")) tile.addEventListener("click", () => chooseCards(tile.dataset));

  // --- the graphs: find, zoom, keys, and what is near a claim --------------------------------------
  function place(node) {
    const at = node.transform.baseVal.consolidate().matrix;
    return [at.e, at.f];
  }

  function reach(start, step) {
    const found = new Set([start]), queue = [start];
    while (queue.length) for (const next of step(queue.pop())) if (!found.has(next)) { found.add(next); queue.push(next); }
    return found;
  }

  function graph(view) {
    const box = one(".graph-box", view), drawing = one(".graph-drawing", view);
    const nodes = all(".node", drawing), edges = all(".edges path", drawing);
    const byId = new Map(nodes.map(node => [node.dataset.id, node]));
    const full = drawing.viewBox.baseVal;
    const used = new Map(nodes.map(node => [node.dataset.id, []])), users = new Map(nodes.map(node => [node.dataset.id, []]));
    const ends = new Map(edges.map(edge => [edge, edge.dataset.ends.split(" ").map(at => nodes[at].dataset.id)]));
    for (const [from, to] of ends.values()) { used.get(to).push(from); users.get(from).push(to); }
    let scale = drawing.getAttribute("width") / full.width;

    function zoom(to) {
      const middle = (box.scrollLeft + box.clientWidth / 2) / scale;
      scale = Math.min(3, Math.max(0.15, to));
      drawing.setAttribute("width", full.width * scale);
      drawing.setAttribute("height", full.height * scale);
      box.scrollLeft = middle * scale - box.clientWidth / 2;
    }

    function bringForward(ids) {
      drawing.classList.toggle("dimmed", ids !== null);
      nodes.forEach(node => node.classList.toggle("near", ids !== null && ids.has(node.dataset.id)));
      edges.forEach(edge => edge.classList.toggle("near", ids !== null && ends.get(edge).every(id => ids.has(id))));
    }

    function rove(node) {
      for (const other of nodes) other.setAttribute("tabindex", other === node ? 0 : -1);
    }

    function choose(id) {
      nodes.forEach(node => node.classList.toggle("chosen", node.dataset.id === id));
      bringForward(byId.has(id) ? new Set([...reach(id, name => used.get(name)), ...reach(id, name => users.get(name))]) : null);
      if (byId.has(id)) rove(byId.get(id));
    }

    function show(node) {
      const [x, y] = place(node);
      box.scrollTo(x * scale - box.clientWidth / 3, y * scale - box.clientHeight / 3);
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

    // What is typed is looked for in the labels; Enter goes from one find to the next.
    const input = one("[data-find]", view), answer = one("[data-found]", view);
    let found = [], at = -1;

    function find() {
      const wanted = input.value.trim().toLowerCase();
      found = wanted ? nodes.filter(node => `${node.getAttribute("aria-label")} ${node.dataset.id}`.toLowerCase().includes(wanted)) : [];
      at = found.length ? 0 : -1;
      bringForward(wanted ? new Set(found.map(node => node.dataset.id)) : null);
      answer.textContent = wanted ? `${found.length} of ${nodes.length}` : "";
      if (found.length) show(found[0]);
    }

    // A pointer that rests on a node is shown the claim's statement, taken from its card.
    drawing.addEventListener("pointerover", event => {
      const node = event.target.closest(".node");
      if (!node || one("title", node)) return;
      const title = document.createElementNS(node.namespaceURI, "title");
      title.textContent = one(".statement", document.getElementById(`claim=${node.dataset.id}`))?.textContent ?? "";
      node.prepend(title);
    });

    input.addEventListener("input", find);
    input.addEventListener("keydown", event => {
      if (event.key !== "Enter" || !found.length) return;
      event.preventDefault();
      show(found[at]);
      rove(found[at]);
      found[at].focus({ preventScroll: true });
      at = (at + 1) % found.length;
    });
    drawing.addEventListener("keydown", event => {
      const node = event.target.closest(".node");
      if (!node || !event.key.startsWith("Arrow")) return;
      event.preventDefault();
      const next = neighbour(node, event.key);
      if (next) { rove(next); next.focus(); next.scrollIntoView({ block: "nearest", inline: "nearest" }); }
    });
    one(".tools", view).addEventListener("click", event => {
      const button = event.target.closest("button");
      if (button) zoom(button.dataset.zoom === "fit" ? (box.clientWidth - 2) / full.width : scale * Number(button.dataset.zoom));
    });
    one(".tools select", view).addEventListener("change", event => {
      const name = event.target.value;
      const chosen = nodes.filter(node => node.dataset.section === name);
      bringForward(name ? new Set(chosen.map(node => node.dataset.id)) : null);
      if (chosen.length) show(chosen[0]);
    });

    rove(nodes[0]);
    return { view, byId, choose, show };
  }

  const graphs = all(".graph-view").map(graph);
  const choose = id => graphs.forEach(one => one.choose(id));

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
    const finding = document.getElementById(`finding=${id}`);
    if (finding) one(".to-finding", copy).replaceWith(...all(".sides, .counterexample", finding).map(part => part.cloneNode(true)));
    inside.replaceChildren(copy);
    title.textContent = id.replaceAll("_", " ");
    panel.dataset.claim = id;
    panel.hidden = false;
    panel.scrollTop = 0;
    choose(id);
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
    const holder = graphs.find(one => one.byId.has(panel.dataset.claim));
    if (!holder) return;
    const outer = holder.view.closest("details");
    if (outer) outer.open = true;
    const node = holder.byId.get(panel.dataset.claim);
    holder.view.scrollIntoView();
    holder.show(node);
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

  route();
  document.documentElement.dataset.ready = Math.round(performance.now());
})();
