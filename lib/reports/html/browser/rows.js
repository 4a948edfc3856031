// Runs in a page with a long table, never in Node: searches and sorts its rows. Only some rows are elements at a time, so that the page
// stays quick with ten thousand of them; without it the first rows can still be read.

/** @typedef {{name: string, search: string, cells: [number, string][]}} Row each cell: what it is sorted by, and its text */

/** So many rows are shown, and so many more with each push of the button. */
const STEP = 100;

/** @template {HTMLElement} T @param {string} id @param {{new (): T}} kind @returns {T} */
const byId = (id, kind) => {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new TypeError(`the page has no ${id}`);
  return element;
};

const form = byId('filter', HTMLFormElement);
const search = byId('search', HTMLInputElement);
const shown = byId('shown', HTMLOutputElement);
const more = byId('more', HTMLButtonElement);
const table = byId('rows', HTMLTableElement);
const body = table.tBodies[0] ?? table.createTBody();
const heads = [...table.querySelectorAll('thead th')];

/** @type {[string, ...[number, string][]][]} */
const data = JSON.parse(byId('data', HTMLElement).textContent ?? '[]');
/** @type {Row[]} */
const rows = data.map(([name, ...cells]) => ({ name, search: name.toLowerCase(), cells }));

/** Rows that match, in order. */
let found = rows;
let count = STEP;
/** The column that rows are sorted by, -1 for the name; and in which direction. */
let column = -2;
let isAscending = false;

/** @param {Row} one @param {Row} other @returns {number} */
const compare = (one, other) => {
  const order =
    column === -1
      ? Number(one.name > other.name) - Number(one.name < other.name)
      : (one.cells[column]?.[0] ?? -1) - (other.cells[column]?.[0] ?? -1);
  return isAscending ? order : -order;
};

/** @param {Row} row @returns {HTMLTableRowElement} */
const elementOf = ({ name, cells }) => {
  const line = document.createElement('tr');
  const head = document.createElement('th');
  head.scope = 'row';
  const text = document.createElement('code');
  text.textContent = name;
  head.append(text);
  line.append(head);
  for (const [, shownText] of cells) {
    const cell = line.insertCell();
    cell.className = 'number';
    cell.textContent = shownText;
  }
  return line;
};

const show = () => {
  body.replaceChildren(...found.slice(0, count).map(elementOf));
  const left = found.length - Math.min(count, found.length);
  more.hidden = left === 0;
  more.textContent = `Show ${Math.min(STEP, left)} more`;
  shown.value = `${Math.min(count, found.length)} of ${found.length === rows.length ? '' : `${found.length} matching, of `}${rows.length} ${shown.dataset['noun']}`;
};

const find = () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  found = words.length === 0 ? [...rows] : rows.filter((row) => words.every((word) => row.search.includes(word)));
  if (column > -2) found.sort(compare);
  count = STEP;
  show();
};

/** @param {number} at column; -1 for the name */
const sortBy = (at) => {
  isAscending = column === at ? !isAscending : at === -1;
  column = at;
  for (const [index, head] of heads.entries()) {
    if (index - 1 === at) head.setAttribute('aria-sort', isAscending ? 'ascending' : 'descending');
    else head.removeAttribute('aria-sort');
  }
  find();
};

let isWaiting = false;
search.addEventListener('input', () => {
  if (isWaiting) return;
  isWaiting = true;
  // Once before the page is painted again, however many keys were pressed.
  requestAnimationFrame(() => {
    isWaiting = false;
    find();
  });
});
form.addEventListener('submit', (event) => event.preventDefault());
more.addEventListener('click', () => {
  count += STEP;
  show();
});
for (const [index, head] of heads.entries()) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = head.textContent;
  button.addEventListener('click', () => sortBy(index - 1));
  head.replaceChildren(button);
}
form.hidden = false;
find();
