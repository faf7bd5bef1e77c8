import { MessageChannel } from 'node:worker_threads'
import { afterEach, expect, it } from 'vitest'
import { connectMethods, exposeMethods } from './rpc.ts'

const channels: MessageChannel[] = []
const connect = () => {
  const channel = new MessageChannel()
  channels.push(channel)
  exposeMethods(channel.port1, {
    add: async (a: number, b: number) => a + b,
    fail: () => {
      throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' })
    },
    never: () => new Promise(() => undefined),
    untilCancelled: (name: string, signal: AbortSignal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(`${name} was cancelled`))
      }),
  })
  type Methods = {
    add(a: number, b: number): Promise<number>
    fail(): Promise<void>
    never(): Promise<void>
    absent(): Promise<void>
    untilCancelled(name: string, signal: AbortSignal): Promise<string>
  }
  return { channel, methods: connectMethods<Methods>(channel.port2) }
}
afterEach(() => {
  for (const channel of channels.splice(0)) channel.port1.close()
})

it('answers each call with its own result', async () => {
  const { methods } = connect()
  expect(await Promise.all([methods.add(1, 2), methods.add(3, 4)])).toEqual([3, 7])
})

it('carries an error with its message and code', async () => {
  const { methods } = connect()
  await expect(methods.fail()).rejects.toMatchObject({ message: 'disk full', code: 'SQLITE_FULL' })
})

it('refuses a method that does not exist', async () => {
  await expect(connect().methods.absent()).rejects.toThrow('no method absent')
})

it('rejects open calls when the thread ends, so nobody waits for ever', async () => {
  const { channel, methods } = connect()
  const open = methods.never()
  channel.port1.close()
  await expect(open).rejects.toMatchObject({ code: 'THREAD_ENDED' })
})

it('SEARCH-Q12: tells a method that its caller does not want the answer any more', async () => {
  const { methods } = connect()
  const controller = new AbortController()
  const open = methods.untilCancelled('A', controller.signal)
  await methods.add(1, 1)
  controller.abort()
  expect(await open).toBe('A was cancelled')
  expect(await methods.untilCancelled('B', controller.signal)).toBe('B was cancelled')
})

it('is not taken for a promise', async () => {
  const { methods } = connect()
  const awaited = await Promise.resolve(methods)
  expect(await awaited.add(1, 1)).toBe(2)
})
