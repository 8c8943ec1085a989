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
    panel.hidden = false;
    panel.scrollTop = 0;
    title.focus({ preventScroll: true });
    return true;
  }

  function close() {
    if (panel.hidden) return;
    panel.hidden = true;
    if (location.hash.startsWith("#claim=")) history.replaceState(null, "", location.pathname + location.search);
    if (opener && opener.isConnected) opener.focus({ preventScroll: true });
  }

  one("#panel-close").addEventListener("click", close);
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
  addEventListener("popstate", () => { if (!location.hash.startsWith("#claim=")) panel.hidden = true; });
  addEventListener("hashchange", route);

  route();
  document.documentElement.dataset.ready = Math.round(performance.now());
})();
