"use strict";

/* Search and sort the table of pairs. Without this script the page has all the same, in one order. */

const WORDS = WORDS_OF_THE_REPORT; // put here by the writer
const WAIT = 80; // milliseconds after the last key until rows are looked through
const MOST = 500; // rows that are laid out at once

function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function make(name, attributes, ...inside) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...inside);
  return element;
}

/* The rows as they are sorted and hidden: each with the note below it. */
function entriesOf(table) {
  const entries = [];
  for (const row of table.tBodies[0].rows) {
    if (row.className === "note") entries.at(-1).rows.push(row);
    else entries.push({ rows: [row], place: entries.length, words: null });
  }
  return entries;
}

function wordsOf(entry) {
  entry.words ??= plain(
    entry.rows.flatMap((row) => [...row.cells]).map((cell) => cell.textContent).join(" "),
  );
  return entry.words;
}

/* Shows the entries that have all words searched for; of very many the first, until all are asked for. */
function addSearch(table, entries) {
  const field = make("input", { type: "search", autocomplete: "off", spellcheck: "false" });
  const label = make("label", {}, `${WORDS.search} `, field);
  const count = make("output", {});
  const told = make("span", {});
  const all = make("button", { type: "button" }, WORDS.all);
  const rest = make("p", { class: "rest" }, told, all);
  const amount = (number) => number.toLocaleString(WORDS.language);
  const filled = (message, values) => message.replace(/\{(\w+)\}/g, (_, name) => amount(values[name]));
  let most = MOST;
  const show = (order) => {
    const wanted = plain(field.value).split(/\s+/).filter(Boolean);
    let found = 0;
    for (const entry of order) {
      const fits = wanted.every((word) => wordsOf(entry).includes(word));
      found += fits;
      for (const row of entry.rows) row.hidden = !fits || found > most;
    }
    count.value = wanted.length ? filled(WORDS.found, { found, total: entries.length }) : "";
    told.textContent = found ? filled(WORDS.some, { shown: most, found }) : WORDS.none;
    all.hidden = found === 0;
    rest.hidden = found > 0 && found <= most;
  };
  let waiting = 0;
  let order = entries;
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => show(order), WAIT);
  });
  const showAll = () => {
    most = Infinity;
    show(order);
  };
  all.addEventListener("click", showAll);
  // A link that leads to a row shows it, whatever was searched for.
  addEventListener("hashchange", () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target?.hidden) return;
    field.value = "";
    showAll();
    target.scrollIntoView();
  });
  table.before(make("div", { class: "search", role: "search" }, label, count));
  table.after(rest);
  show(order);
  return (sorted) => show((order = sorted));
}

function addSorting(table, entries, show) {
  const heads = [...table.tHead.rows[0].cells];
  const words = new Intl.Collator(undefined, { numeric: true });
  const keyOf = (entry, column) => {
    const cell = entry.rows[0].cells[column];
    return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
  };
  const compare = (a, b) => (typeof a === "number" ? a - b : words.compare(a, b));
  const sort = (column, direction) => {
    const keys = new Map(entries.map((entry) => [entry, keyOf(entry, column)]));
    const sorted = direction
      ? [...entries].sort((a, b) => direction * compare(keys.get(a), keys.get(b)) || a.place - b.place)
      : entries;
    const body = table.tBodies[0];
    body.hidden = true;
    show(sorted);
    for (const entry of sorted) body.append(...entry.rows);
    body.hidden = false;
    for (const head of heads) head.removeAttribute("aria-sort");
    if (direction) heads[column].setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
  };
  heads.forEach((head, column) => {
    const first = column > 0 && entries[0]?.rows[0].cells[column].dataset.value !== undefined ? -1 : 1;
    const steps = [first, -first, 0];
    const button = make("button", { type: "button" }, head.textContent);
    button.addEventListener("click", () => {
      const now = { ascending: 1, descending: -1 }[head.getAttribute("aria-sort")] ?? 0;
      sort(column, steps[(steps.indexOf(now) + 1) % steps.length]);
    });
    // On paper a browser does not repeat buttons above each page.
    head.replaceChildren(button, make("span", { class: "paper" }, button.textContent));
  });
}

for (const table of document.querySelectorAll("table.searchable")) {
  const entries = entriesOf(table);
  addSorting(table, entries, addSearch(table, entries));
}
