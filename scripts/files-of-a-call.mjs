// `npm run files-of-a-call` counts the files of src that a StartTransaction runs through: every function that the built
// server calls, in any of its threads, between the request and its answer, brought back to its file by the source maps.
// Loading a file does not count, and neither does what a timer did meanwhile: it is not there each time. With `--list`
// it names them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads'
import { WebSocket } from 'ws'

const FOLDER = process.env.FILES_OF_A_CALL
/** Charges, one after another, each of an outlet of its own. */
const ROUNDS = 9
/** For every thread to hear the word. */
const MOMENT_MS = 300

if (FOLDER) countHere(FOLDER)
else await measure()

/** In each thread of the server: the first word empties the counts, the second one keeps them. */
function countHere(folder) {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const channel = new BroadcastChannel('files-of-a-call')
  channel.unref()
  let round = 0
  const take = (word) => {
    session.post('Profiler.takePreciseCoverage', (_, { result }) => {
      if (word === 'keep') writeFileSync(join(folder, `${round++}-${threadId}.json`), JSON.stringify(result))
    })
  }
  channel.onmessage = ({ data }) => take(data)
  if (!isMainThread) return
  for (const [signal, word] of Object.entries({ SIGUSR2: 'empty', SIGPIPE: 'keep' })) {
    process.on(signal, () => {
      channel.postMessage(word)
      take(word)
    })
  }
}

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'pilotwire-files-'))
  const { PATH, HOME } = process.env
  const server = spawn(
    process.execPath,
    ['--import', import.meta.filename, resolve('dist/main.js'), 'serve', '--json'],
    {
      cwd: folder,
      env: { PATH, HOME, FILES_OF_A_CALL: folder, PILOTWIRE_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  try {
    const [line] = await once(createInterface({ input: server.stdout }), 'line')
    const { ocppUrl } = JSON.parse(line)
    const socket = new WebSocket(`${ocppUrl}/EV-1`, 'ocpp1.6')
    await once(socket, 'open')
    const call = async (action, payload) => {
      socket.send(JSON.stringify([2, action, action, payload]))
      const [text] = await once(socket, 'message')
      return JSON.parse(text)
    }
    await call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
    let answer
    for (let connectorId = 1; connectorId <= ROUNDS; connectorId++) {
      await call('StatusNotification', { connectorId, errorCode: 'NoError', status: 'Preparing' })
      await wait(MOMENT_MS)
      server.kill('SIGUSR2')
      await wait(MOMENT_MS)
      const timestamp = new Date().toISOString()
      answer = await call('StartTransaction', { connectorId, idTag: `CARD-${connectorId}`, meterStart: 0, timestamp })
      server.kill('SIGPIPE')
      await wait(MOMENT_MS)
      if (answer[2].idTagInfo?.status !== 'Accepted') throw new Error(`Refused: ${JSON.stringify(answer)}`)
    }
    socket.terminate()
    const names = readdirSync(folder)
    const rounds = Array.from({ length: ROUNDS }, (_, round) => {
      return new Set(names.filter((name) => name.startsWith(`${round}-`)).flatMap((name) => called(folder, name)))
    })
    const files = [...rounds[0]].filter((file) => rounds.every((round) => round.has(file))).sort()
    if (process.argv.includes('--list')) for (const file of files) console.info(file)
    console.info(`${files.length} files of src; the last answer was ${JSON.stringify(answer[2])}`)
  } finally {
    server.kill('SIGKILL')
    await once(server, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns the files whose functions were called in a thread */
function called(folder, name) {
  const scripts = JSON.parse(readFileSync(join(folder, name), 'utf8'))
  return scripts
    .filter(({ url }) => url.startsWith(`${pathToFileURL(resolve('dist'))}/`))
    .flatMap(({ url, functions }) => {
      const file = fileURLToPath(url)
      const lines = lineStarts(readFileSync(file, 'utf8'))
      const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
      return functions
        .filter(
          ({ functionName, ranges: [range] }) => range.count > 0 && !(functionName === '' && range.startOffset === 0),
        )
        .map(({ ranges: [{ startOffset }] }) => {
          const line = lines.findLastIndex((start) => start <= startOffset)
          return map.findEntry(line, startOffset - lines[line]).originalSource ?? basename(file)
        })
        .filter((source) => source.includes('/src/'))
        .map((source) => source.replace(/^.*?(?=src\/)/, ''))
    })
}

function lineStarts(text) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
