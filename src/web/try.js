/** The one script of `/docs`. It keeps no credential, and the page's policy lets it go nowhere else (CONSOLE-C12). */
const credential = document.getElementById('credential')
for (const hidden of document.querySelectorAll('#try, details.try')) hidden.hidden = false
document.addEventListener(
  'click',
  ({ target }) => target.matches('.try button') && void send(target, target.closest('.try')),
)

async function send(button, form) {
  const { method, path } = form.dataset
  const missing = form.querySelector(':invalid')
  if (missing !== null) return missing.reportValidity()
  if (method !== 'GET' && !confirm(method + ' ' + path + ' is carried out for real. Go on?')) return
  const answer = form.querySelector('.answer')
  button.disabled = true
  answer.textContent = '…'
  try {
    answer.textContent = await shown(await fetch(...request(form, method, path)))
  } catch (error) {
    answer.textContent = 'Not sent: ' + error.message
  }
  button.disabled = false
}

function request(form, method, path) {
  const values = (where) =>
    [...form.querySelectorAll('[data-in=' + where + ']')]
      .filter(({ value }) => value !== '')
      .map(({ name, value }) => [name, value])
  const parts = new Map(values('path'))
  const address = path.replaceAll(/{(\w+)}/g, (_, name) => encodeURIComponent(parts.get(name)))
  const headers = new Headers(values('header'))
  if (credential.value.trim() !== '') headers.set('Authorization', 'Bearer ' + credential.value.trim())
  const [[, body] = []] = values('body')
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  const url = document.body.dataset.base + address + '?' + new URLSearchParams(values('query'))
  return [url, { method, headers, body, credentials: 'omit', redirect: 'manual' }]
}

async function shown(response) {
  const said = await response.text()
  const head = [response.status + ' ' + response.statusText, ...[...response.headers].map((one) => one.join(': '))]
  const json = response.headers.get('content-type')?.includes('json') && said !== ''
  return head.join('\n') + '\n\n' + (json ? JSON.stringify(JSON.parse(said), null, 2) : said).slice(0, 100000)
}
