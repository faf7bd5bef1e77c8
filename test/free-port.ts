/** A port of this machine, for a program that cannot be told to take any. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Free when this resolves; who needs several asks one after the other. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
