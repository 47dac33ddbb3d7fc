// The time zone as the browser says it: into empty `zone` fields, and to the club when it knows another one.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

if (zone) {
  for (const field of document.querySelectorAll('input[type=hidden][name=zone]')) field.value = zone;

  const form = document.getElementById('guess-zone');
  // Once a visit: should the club not take it, asking on every page would not help.
  if (form && form.dataset.known !== zone && sessionStorage.getItem('zone') !== zone) {
    sessionStorage.setItem('zone', zone);
    form.elements.guessed.value = zone;
    fetch(form.action, { method: 'POST', body: new FormData(form), credentials: 'same-origin' }).catch(() => {});
  }
}
