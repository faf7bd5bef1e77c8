import type { Connection } from '../wire/connection.ts'
import type { NetworkAccess } from './network-access.ts'

/** SIM-A10: the first network profile that works; the present one stays where none does. */
export async function connectByPriority(
  network: NetworkAccess,
  connection: Connection,
  note: (text: string) => void,
): Promise<void> {
  const before = network.present
  const desired = network.candidates()
  for (const [position, profile] of desired.entries()) {
    network.use(profile)
    const failure = await connection.connect().then(
      () => undefined,
      (error: Error) => error,
    )
    if (!failure) return
    note(`security profile ${profile.securityProfile} does not work: ${failure.message}`)
    if (position < desired.length - 1) continue
    network.use(before)
    throw failure
  }
}
