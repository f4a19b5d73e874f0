// The search of the guides, in the browser: it needs no server, and sends nothing.
import MiniSearch from 'minisearch';

const field = document.querySelector('#search');
const list = document.querySelector('#found');
let index;

/** Reads the index when the search is used for the first time. */
async function read() {
  const pages = await (await fetch('/docs/search.json')).json();
  index = new MiniSearch({ fields: ['title', 'text'], storeFields: ['title'] });
  index.addAll(pages);
}

async function show() {
  if (!index) await read();
  const words = field.value.trim();
  const found =
    words === '' ? [] : index.search(words, { prefix: true, fuzzy: 0.15, boost: { title: 3 } }).slice(0, 8);
  list.replaceChildren(
    ...(words !== '' && found.length === 0
      ? [item('Nothing found')]
      : found.map(({ id, title }) => item(title, id))),
  );
  list.hidden = words === '';
}

function item(words, address) {
  const line = document.createElement('li');
  const inside = address === undefined ? line : line.appendChild(document.createElement('a'));
  if (address !== undefined) inside.href = address;
  inside.textContent = words;
  return line;
}

field.addEventListener('input', show);
field.form.addEventListener('submit', (event) => {
  event.preventDefault();
  list.querySelector('a')?.click();
});
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') list.hidden = true;
  if (event.key !== '/' || event.target.matches('input, textarea')) return;
  event.preventDefault();
  field.focus();
});
// A phone shows the page first.
if (matchMedia('(max-width: 760px)').matches) document.querySelector('details').open = false;
