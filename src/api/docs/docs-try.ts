/**
 * The one script of `/docs`: it sends what is entered beside an operation to this server and shows the answer. The
 * credential stays in its field: it is not kept, and the page's policy lets it go nowhere else (CONSOLE-C12).
 */
import { createHash } from 'node:crypto'

export const TRY_SCRIPT = `
const base = document.body.dataset.base
const credential = document.getElementById('credential')
document.getElementById('try').hidden = false
for (const form of document.querySelectorAll('details.try')) {
  form.hidden = false
  const button = form.querySelector('button')
  button.addEventListener('click', () => void send(form, button))
}

async function send(form, button) {
  const { method, path } = form.dataset
  if (method !== 'GET' && !confirm(method + ' ' + path + ' is carried out for real. Go on?')) return
  const answer = form.querySelector('.answer')
  button.disabled = true
  answer.textContent = '…'
  try {
    answer.textContent = await answerTo(request(form, method, path))
  } catch (error) {
    answer.textContent = 'Not sent: ' + error.message
  }
  button.disabled = false
}

function request(form, method, path) {
  const headers = {}
  const query = new URLSearchParams()
  let address = path
  let body
  if (credential.value.trim() !== '') headers.Authorization = 'Bearer ' + credential.value.trim()
  for (const { name, value, dataset } of form.querySelectorAll('[data-in]')) {
    if (dataset.in === 'path') {
      if (value === '') throw new Error(name + ' is missing.')
      address = address.replace('{' + name + '}', () => encodeURIComponent(value))
    } else if (value === '') continue
    else if (dataset.in === 'query') query.append(name, value)
    else if (dataset.in === 'header') headers[name] = value
    else body = value
  }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const search = query.size > 0 ? '?' + query : ''
  return new Request(location.origin + base + address + search, { method, headers, body, credentials: 'omit', redirect: 'manual' })
}

const MOST_SHOWN = 100000

async function answerTo(sent) {
  const response = await fetch(sent)
  const said = await response.text()
  const head = [response.status + ' ' + response.statusText]
  for (const [name, value] of response.headers) head.push(name + ': ' + value)
  return head.join('\\n') + '\\n\\n' + indented(said.slice(0, MOST_SHOWN)) + (said.length > MOST_SHOWN ? '…' : '')
}

function indented(said) {
  try {
    return JSON.stringify(JSON.parse(said), null, 2)
  } catch {
    return said
  }
}
`

export const TRY_HASH = createHash('sha256').update(TRY_SCRIPT).digest('base64')
