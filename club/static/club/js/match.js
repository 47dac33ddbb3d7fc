// The match page without reloads. It knows no rules: the server says what stands on the table and what may be done,
// this module sends what was chosen and puts the fresh part of the page in place of the old one. Without it the same
// links and forms work as they are.

const CALM = 600; // ms after the board has changed in which no tap counts: it was meant for what stood there before
const PATIENCE = 15000; // ms within which a move is sent again; later than that nothing is sent
const POLL = 15000; // ms between looks while the socket is down
const STALE = 60000; // ms after which "3 hours left" is no longer to be trusted

const main = document.getElementById('main');
const status = document.getElementById('status');
const live = document.getElementById('live');
const screen = () => document.getElementById('screen');
const shown = () => Number(screen().dataset.number);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

let known = shown(); // the highest number heard of
let shownAt = Date.now();
let sending = false;
let calmUntil = 0;
let loads = 0;

// What the person reads about the move

let clearing;

function mark(state, text) {
  clearTimeout(clearing);
  status.className = `status toast ${state}`;
  status.textContent = text || status.dataset[state] || '';
  if (state === 'sent') clearing = setTimeout(() => mark(''), 4000);
}

// The fresh part of the page

async function load(search, have) {
  const query = new URLSearchParams(search);
  if (have !== undefined) query.set('have', have);
  const answer = await fetch(`${screen().dataset.board}?${query}`, { credentials: 'same-origin', redirect: 'manual', cache: 'no-store' });
  if (answer.status === 204) return null;
  // Signed out meanwhile, or the match is gone: the page itself says what to do.
  if (answer.type === 'opaqueredirect' || answer.status === 404) return leave();
  if (!answer.ok) throw new Error(answer.status);
  return answer.text();
}

function leave() {
  location.assign(screen().dataset.page);
  return new Promise(() => {});
}

function show(html) {
  const focused = main.contains(document.activeElement) ? document.activeElement.id || 'main' : null;
  const open = Array.from(main.querySelectorAll('details[open]'), (part) => part.id);
  const before = shown();
  const fresh = new DOMParser().parseFromString(html, 'text/html').body;
  main.textContent = '';
  main.append(...fresh.childNodes);
  for (const id of open) if (id && document.getElementById(id)) document.getElementById(id).open = true;
  if (focused) (document.getElementById(focused) || main).focus({ preventScroll: true });
  document.title = screen().dataset.title;
  known = Math.max(known, shown());
  shownAt = Date.now();
  if (shown() !== before) {
    calmUntil = shownAt + CALM;
    tell(before);
  }
}

function tell(before) {
  const items = Array.from(main.querySelectorAll('[data-event]')).filter((item) => Number(item.dataset.event) > before);
  live.textContent = items.reverse().map((item) => item.firstElementChild.textContent).join(' ');
}

// Only the load asked for last is shown.
async function refresh(search = location.search, have) {
  const mine = ++loads;
  const html = await load(search, have);
  if (mine === loads && html !== null) show(html);
}

// When something may have happened: fetch it if somebody is looking.
async function look() {
  if (document.hidden || sending) return;
  const current = known === shown() && Date.now() - shownAt < STALE;
  try {
    await refresh(location.search, current ? shown() : undefined);
    if (status.classList.contains('failed')) mark('');
  } catch {
    // The next look tries again.
  }
}

// A move

async function post(url, body) {
  const until = Date.now() + PATIENCE;
  for (let wait = 1000; ; wait *= 2) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), 6000);
    try {
      // The same key every time: however often it arrives, the move is played once.
      const answer = await fetch(url, { method: 'POST', body, headers: { Accept: 'application/json' }, credentials: 'same-origin', redirect: 'manual', signal: stop.signal });
      if (answer.status < 502 || answer.status > 504) return answer;
    } catch {
      // No answer: try again below.
    } finally {
      clearTimeout(timer);
    }
    if (Date.now() + wait > until) return null;
    await pause(wait * (0.5 + Math.random() / 2));
  }
}

async function send(form, button) {
  if (sending) return;
  if (!navigator.onLine) return mark('failed', status.dataset.offline);
  if (known > shown()) return void look(); // never from a board that is no longer true
  const body = new URLSearchParams(new FormData(form));
  body.set(button.name, button.value);
  sending = true;
  main.classList.add('sending-now');
  mark('sending');
  try {
    const answer = await post(form.action, body);
    if (answer === null) mark('failed', status.dataset.unsure);
    else await answered(answer);
  } finally {
    sending = false;
    main.classList.remove('sending-now');
    if (known > shown()) look();
  }
}

async function answered(answer) {
  if (answer.type === 'opaqueredirect') return leave();
  const said = await answer.json().catch(() => null);
  if (said === null) return mark('failed');
  history.replaceState(null, '', screen().dataset.page);
  known = Math.max(known, said.number || 0);
  mark(answer.ok ? 'sent' : '');
  try {
    await refresh('');
  } catch {
    return leave(); // the move is safe with the club; the page will say so
  }
  if (!answer.ok) refuse(said.detail);
}

function refuse(detail) {
  const said = document.createElement('p');
  said.className = 'message error refusal';
  said.id = 'refusal';
  said.tabIndex = -1;
  said.setAttribute('role', 'alert');
  said.textContent = detail;
  screen().querySelector('.top').prepend(said);
  said.focus();
}

let pressed = null; // for browsers that do not name the submitter

main.addEventListener('click', (event) => {
  pressed = event.target.closest('button');
  const link = event.target.closest('a[data-go]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(link);
});

main.addEventListener('submit', (event) => {
  const button = event.submitter || pressed;
  if (!event.target.matches('[data-move]') || !button) return;
  event.preventDefault();
  send(event.target, button);
});

// Choosing a tile, putting it back, stepping through the history: links whose page is fetched in part.
async function go(link) {
  const far = link.closest('.below');
  try {
    await refresh(link.search);
  } catch {
    return location.assign(link.href);
  }
  history.pushState(null, '', link.href);
  const wished = main.querySelector('[data-focus]');
  if (wished) wished.focus({ preventScroll: true });
  if (far) window.scrollTo(0, 0);
}

window.addEventListener('popstate', () => refresh().catch(() => location.reload()));

document.addEventListener('click', (event) => {
  if (Date.now() >= calmUntil || !main.contains(event.target)) return;
  event.preventDefault();
  event.stopPropagation();
}, true);

// Hearing of new numbers

let socket = null;
let tries = 0;
let retry;

function connect() {
  clearTimeout(retry);
  if (socket || document.hidden) return;
  socket = new WebSocket(location.origin.replace('http', 'ws') + screen().dataset.socket);
  socket.onopen = () => { tries = 0; };
  socket.onmessage = (event) => {
    known = Math.max(known, JSON.parse(event.data).number);
    if (known > shown()) look();
  };
  socket.onclose = (event) => {
    socket = null;
    // 4404: not ours. 4429: another tab of ours took the place; back() connects again when this one is looked at.
    if (event.code === 4404 || event.code === 4429) return;
    tries += 1;
    // Full jitter, so that a restart of the club does not bring all back in one second.
    retry = setTimeout(connect, 1000 + Math.random() * Math.min(29000, 1000 * 2 ** tries));
  };
}

let lastBack = Date.now();

// One return often has several names.
function back() {
  if (Date.now() - lastBack < 1000) return;
  lastBack = Date.now();
  connect();
  look();
}

setInterval(() => { if (!socket || socket.readyState !== WebSocket.OPEN) look(); }, POLL);
document.addEventListener('visibilitychange', back);
window.addEventListener('focus', back);
window.addEventListener('pageshow', back);
window.addEventListener('online', back);
connect();
