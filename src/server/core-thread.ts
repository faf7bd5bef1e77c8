/** The core thread: the writer's connection and the core beside it, behind one message port. */

import { randomBytes } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { vatNumberHook } from '../authorities/hook.ts'
import { createSigner } from '../authorities/signer.ts'
import { createCore } from '../core/create-core.ts'
import { storeRefusals } from '../core/groups/store-refusals.ts'
import { coreAcrossNodes } from '../core/nodes/across-nodes.ts'
import {
  batchFrames,
  type CoreThreadStart,
  eachFrame,
  type FromCore,
  type MainMethods,
  type ThreadMethods,
  type ToCore,
  type Waiting,
} from '../core/thread/core-client.ts'
import type { Log } from '../domain/ports/core.ts'
import type { CoreStore, Writes } from '../domain/ports/storage.ts'
import { sealedBox } from '../secrets/sealed-box.ts'
import { databaseAt } from '../storage/open.ts'
import { changesRegistrations, changesTariffs } from '../storage/operations.ts'
import { placeInTime } from '../storage/placing.ts'
import { nextTurn } from '../threads/next-turn.ts'
import { connectMethods, exposeMethods } from '../threads/rpc.ts'
import { countDurations } from './durations.ts'
import { pooledRandom, systemClock } from './system.ts'

const port = parentPort
if (!port) throw new Error('This module runs as a worker thread.')
const { databaseUrl, settings, certificates, vatHook, node, waiting } = workerData as CoreThreadStart & {
  readonly waiting: Waiting
}
const post = (message: FromCore): void => port.postMessage(message)

const logAt =
  (level: 'info' | 'warn' | 'error') =>
  (fields: object, message: string): void =>
    post({ log: { level, fields, message } })
const log: Log = { info: logAt('info'), warn: logAt('warn'), error: logAt('error') }

const outgoing = batchFrames((frames) => post({ frames }), queueMicrotask)
const commits = countDurations()
const syncs = countDurations()
const refusals = storeRefusals(systemClock.monotonic)
const store = await databaseAt(databaseUrl).openWriter({ log, synced: (ms) => syncs.observe(ms / 1000), node })
const publish = (count: number): unknown => Atomics.store(waiting, 0, count)
const placed = placeInTime(store, (ms, run) => setTimeout(run, ms), log, publish, nextTurn)
/** The delivery loop lives in the main thread: it hears of deliveries the moment they are durable. */
const coreStore: CoreStore = {
  ...placed.core,
  async commit(group) {
    const started = performance.now()
    const results = await placed.core.commit(group).catch((error: unknown) => {
      refusals.noted(error)
      throw error
    })
    refusals.newest = undefined
    commits.observe((performance.now() - started) / 1000)
    if (results.some((result) => result.ok && result.due)) post({ due: true })
    return results
  },
}
const sealed = sealedBox(settings.secretKey, 'nodeRequests', randomBytes)
const main = connectMethods<MainMethods>(port)
const signer = createSigner({
  store: placed.core,
  writes: store.writes,
  settings,
  certificates,
  clock: systemClock,
  random: randomBytes,
})
const {
  core: own,
  here,
  registrationsChanged,
} = await createCore({
  store: coreStore,
  writes: store.writes,
  salt: store.salt,
  ownership: store.ownership,
  settings,
  clock: systemClock,
  random: pooledRandom,
  log,
  behind: () => ({
    ...placed.behind(),
    commitSeconds: commits.read(),
    syncSeconds: syncs.read(),
    storeRefuses: refusals.current(),
  }),
  signer,
  askPartner: (question) => main.askPartner(question),
  checkVatNumber: vatHook && vatNumberHook({ ...vatHook, clock: systemClock }),
  sockets: {
    send: outgoing.add,
    close(connection, code, reason) {
      outgoing.flush()
      post({ close: [connection, code, reason] })
    },
    done: (connection) => outgoing.add(connection, ''),
    setLimits(connection, isUnaccepted) {
      outgoing.flush()
      post({ setLimits: [connection, isUnaccepted] })
    },
  },
})
const { otherNodes: nodes } = store
const core = nodes
  ? coreAcrossNodes({ core: own, here, nodes, store: placed.core, sealed, clock: systemClock, log })
  : own

port.on('message', (message: ToCore) => {
  if ('frames' in message) eachFrame(message.frames, core.submit)
  else if ('opened' in message) core.opened(...message.opened)
  else if ('closed' in message) core.closed(...message.closed)
  else if ('alive' in message) core.alive(message.alive)
})

exposeMethods<ThreadMethods>(port, {
  ...core,
  putInPlace: placed.putInPlace,
  async drain() {
    await core.drain()
    outgoing.flush()
  },
  async write<Name extends keyof Writes>(name: Name, ...args: Parameters<Writes[Name]>) {
    const run = store.writes[name] as (...args: unknown[]) => Promise<unknown>
    const value = await run(...args)
    if (changesRegistrations(name, args)) registrationsChanged(changesTariffs(name, args))
    return value
  },
  async close() {
    await store.close()
  },
})
post({ ready: { salt: store.salt } })
