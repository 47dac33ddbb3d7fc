// Room codes. In a link the code stands after the #, where no server and no log sees it; here it goes into the form.
const KEPT = 'room-code';
const field = document.querySelector('#join input[name=code]');

if (field) {
  const given = location.hash.slice(1);
  // Kept for the way over the sign-in page, and no longer than this visit.
  if (given) sessionStorage.setItem(KEPT, given);
  history.replaceState(null, '', location.pathname);
  field.value = sessionStorage.getItem(KEPT) || field.value;
  field.form.addEventListener('submit', () => sessionStorage.setItem(KEPT, field.value));
} else {
  sessionStorage.removeItem(KEPT);
}

const share = document.getElementById('share');
const link = document.querySelector('.invitation');

if (share && link && (navigator.share || navigator.clipboard)) {
  share.hidden = false;
  share.addEventListener('click', async () => {
    try {
      if (navigator.share) return void (await navigator.share({ url: link.textContent }));
      await navigator.clipboard.writeText(link.textContent);
      document.getElementById('say').textContent = share.dataset.done;
      share.textContent = share.dataset.done;
    } catch {
      // Nothing was shared, because the person thought better of it or the browser forbids it: the link can be read.
    }
  });
}
