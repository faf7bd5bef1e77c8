// Keeps the marked parts of a page up to date: asks for the page again, and changes what differs in its data-live
// regions. The only code of ours that runs in a browser; without it every page says the same after a reload.

const EVERY_MS = 3000
const AWAY_MOST_MS = 60_000
const ANSWER_WITHIN_MS = 15_000
/** A page that takes long is asked for less often: watching it costs the server a twentieth of its time at most. */
const REST_FACTOR = 20
/** Between two keys of whoever types on. */
const TRY_AFTER_MS = 400
const tries = new WeakMap()

const status = document.querySelector('[data-live-status]')
const regions = document.querySelectorAll('[data-live]')
let shownTag
let failures = 0

if (status && regions.length > 0) void watch()
for (const form of document.querySelectorAll('form[data-upload]')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    upload(form)
  })
}

for (const form of document.querySelectorAll('form[data-try]')) {
  let pause
  form.addEventListener('input', () => {
    clearTimeout(pause)
    pause = setTimeout(() => void tryOut(form), TRY_AFTER_MS)
  })
}

/** What would come of what is typed: the server is sent it, and nothing is changed by it. */
async function tryOut(form) {
  const typed = new FormData(form)
  // What acts once must not be used up by a look.
  typed.delete('once')
  const body = form.enctype === 'multipart/form-data' ? typed : new URLSearchParams(typed)
  const before = tries.get(form)
  before?.abort()
  const trial = new AbortController()
  tries.set(form, trial)
  try {
    const { signal } = trial
    const answer = await fetch(form.dataset.try, { method: 'POST', body, redirect: 'error', signal })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    for (const region of form.querySelectorAll('[data-tried]')) {
      const next = page.querySelector(`[data-tried="${region.dataset.tried}"]`)
      if (next) settle(region, next)
    }
  } catch {
    // Its button says the same.
  }
}

/** The same form with a bar that shows how much of its file has left. */
function upload(form) {
  const button = form.querySelector('button[type=submit]')
  const bar = document.createElement('progress')
  bar.max = 1
  bar.setAttribute('aria-label', form.dataset.upload)
  button.disabled = true
  button.after(bar)
  const request = new XMLHttpRequest()
  request.open('POST', form.action)
  request.upload.onprogress = ({ loaded, total }) => {
    if (total > 0) bar.value = loaded / total
  }
  request.onload = () => {
    // Stored: it led on to the list. Refused: its answer is the same page, with what is wrong.
    if (request.status < 400) return location.assign(request.responseURL)
    const page = new DOMParser().parseFromString(request.responseText, 'text/html')
    const again = page.querySelector('form[data-upload]')
    bar.remove()
    button.disabled = false
    if (!again) return tellBroken(form, page.querySelector('main')?.textContent)
    for (const fault of form.querySelectorAll('[role=alert]')) fault.remove()
    for (const fault of again.querySelectorAll('[role=alert]')) {
      const beside = fault.id && form.querySelector(`#of-${fault.id.replace(/-fault$/, '')}`)
      if (beside) beside.after(fault)
      else form.prepend(fault)
    }
  }
  request.onerror = () => {
    bar.remove()
    button.disabled = false
    tellBroken(form)
  }
  request.send(new FormData(form))
}

function tellBroken(form, text = form.dataset.broken) {
  const fault = document.createElement('p')
  fault.className = 'warn'
  fault.setAttribute('role', 'alert')
  fault.textContent = text
  form.prepend(fault)
}

document.documentElement.classList.add('scripted')

/** `/` and Ctrl-K lead to the field that leads anywhere. */
document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event
  const isTyped = target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
  const isWanted = key.toLowerCase() === 'k' ? ctrlKey || metaKey : key === '/' && !ctrlKey && !metaKey && !isTyped
  const field = document.querySelector('.jump input')
  if (!isWanted || altKey || !field) return
  event.preventDefault()
  field.select()
  field.focus()
})
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('[data-copy]') : null
  if (button) void copy(button)
})

/** The text beside the button. Where the browser keeps its clipboard to itself, the text is selected for the hand. */
async function copy(button) {
  const text = button.parentElement.querySelector('pre')
  try {
    await navigator.clipboard.writeText(text.textContent)
    if (status) say(button.dataset.copy)
  } catch {
    document.getSelection().selectAllChildren(text)
  }
}

async function watch() {
  let waitMs = EVERY_MS
  while (waitMs !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    await untilVisible()
    waitMs = await refresh()
  }
}

function untilVisible() {
  if (!document.hidden) return undefined
  return new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }))
}

/** Resolves with the time to wait before the next one; undefined: there is nothing left to ask for. */
async function refresh() {
  const began = performance.now()
  const answer = await ask()
  if (!answer || answer.status >= 500 || answer.status === 429) {
    say(status.dataset.away, true)
    failures++
    return Math.min(EVERY_MS * 2 ** failures, AWAY_MOST_MS)
  }
  if (answer.status === 200) show(answer)
  else if (answer.status === 304) recover(answer)
  else {
    // A redirect leads to the sign-in (its status is hidden from scripts); a refusal stays one.
    say(status.dataset.over, true)
    return undefined
  }
  failures = 0
  return Math.max(EVERY_MS, REST_FACTOR * (performance.now() - began))
}

/** Undefined when the server cannot be reached. */
async function ask() {
  try {
    const response = await fetch(location.href, {
      headers: shownTag ? { 'if-none-match': shownTag } : {},
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    return { status: response.status, headers: response.headers, html: await response.text() }
  } catch {
    return undefined
  }
}

function show({ headers, html }) {
  const page = new DOMParser().parseFromString(html, 'text/html')
  let complete = true
  for (const region of regions) {
    const next = page.querySelector(`[data-live="${region.dataset.live}"]`)
    if (!next) continue
    if (isInUse(region)) complete = false
    else settle(region, next)
  }
  // What was spared is fetched again.
  shownTag = complete ? headers.get('etag') : undefined
  if (complete) say(updatedAt(headers))
}

function recover({ headers }) {
  if (failures > 0) say(updatedAt(headers))
}

/** Nothing moves under a hand, a keyboard focus or a selection. A fold keeps its summary, so that one may stay. */
function isInUse(region) {
  const { activeElement } = document
  const selection = document.getSelection()
  return (
    region.querySelector(':active, form:hover') !== null ||
    (region.contains(activeElement) && !activeElement.matches('summary, [data-copy]')) ||
    (selection !== null && !selection.isCollapsed && region.contains(selection.anchorNode))
  )
}

/** Makes `now` look like `next` and leaves alone what already does: folds stay open, scrolled tables where they are. */
function settle(now, next) {
  if (now.isEqualNode(next)) return
  if (now.nodeType !== Node.ELEMENT_NODE || now.nodeName !== next.nodeName) {
    now.replaceWith(next)
    return
  }
  for (const { name } of [...now.attributes]) {
    if (!next.hasAttribute(name) && name !== 'open') now.removeAttribute(name)
  }
  for (const { name, value } of next.attributes) now.setAttribute(name, value)
  const after = [...next.childNodes]
  if (next.firstElementChild?.id) settleById(now, after)
  else settleInOrder(now, after)
}

function settleInOrder(now, after) {
  const before = [...now.childNodes]
  for (const [index, child] of before.entries()) {
    if (after[index]) settle(child, after[index])
    else child.remove()
  }
  now.append(...after.slice(before.length))
}

/** Messages come in above those that are shown: each stays itself, and unfolded if it was. */
function settleById(now, after) {
  const known = new Map([...now.children].map((child) => [child.id, child]))
  const wanted = new Set(after.map(({ id }) => id))
  for (const child of [...now.childNodes]) if (!wanted.has(child.id)) child.remove()
  for (const [index, next] of after.entries()) {
    const child = known.get(next.id) ?? next
    if (now.childNodes[index] !== child) now.insertBefore(child, now.childNodes[index] ?? null)
    if (child !== next) settle(child, next)
  }
}

/** To the minute, so that a screen reader hears of it once a minute at most. */
function updatedAt(headers) {
  const at = new Date(headers.get('date') ?? Date.now())
  const { updated, zone: timeZone } = status.dataset
  const clock = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }
  const locale = document.documentElement.lang === 'de' ? 'de-DE' : 'en-GB'
  const shown = (time, more) =>
    new Intl.DateTimeFormat(locale, { ...clock, timeZone, hourCycle: 'h23', ...more }).format(time)
  const isTwice = [-60, -30, 30, 60].some((minutes) => shown(at.getTime() + minutes * 60_000) === shown(at))
  return `${updated} · ${shown(at, isTwice && { timeZoneName: 'shortOffset' })}`
}

/** What is wrong is shown on a phone as well, which has no room for more. */
function say(text, isWrong = false) {
  status.classList.toggle('wrong', isWrong)
  if (status.textContent !== text) status.textContent = text
}
