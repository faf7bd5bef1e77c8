import { mismatch } from '../scenarios/engine/match.ts'
import type { Assertion } from '../scenarios/engine/run.ts'
import type { ApiClient } from './api-client.ts'
import type { ChargedSession } from './verdict.ts'

const TIMEOUT_MS = 10_000
const LOOK_AGAIN_MS = 100
const SIDE_BY_SIDE = 8
const MAX_NAMED = 5

/**
 * Throws ApiFailure where the API itself fails.
 * @param lessWh what the stations say less of each charge than their meters
 */
export async function compareEnergies(
  api: ApiClient,
  charged: readonly ChargedSession[],
  lessWh: number,
): Promise<Assertion> {
  const byStation = new Map<string, number[]>()
  for (const { evseControllerId, energyKwh } of charged) {
    const saidKwh = Math.max(0, Math.round(energyKwh * 1000) - lessWh) / 1000
    byStation.set(evseControllerId, [...(byStation.get(evseControllerId) ?? []), saidKwh])
  }
  const open = [...byStation]
  const faults: string[] = []
  const giveUpAt = Date.now() + TIMEOUT_MS
  const worker = async (): Promise<void> => {
    for (let entry = open.shift(); entry; entry = open.shift()) {
      const [id, energies] = entry
      let fault = await difference(api, id, energies)
      while (fault !== undefined && Date.now() < giveUpAt) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
        fault = await difference(api, id, energies)
      }
      if (fault !== undefined) faults.push(`${id}: ${fault}`)
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker))
  const name = 'the API shows the energy of every meter'
  if (faults.length === 0) return { name, ok: true }
  const named = faults.slice(0, MAX_NAMED).join('; ')
  return { name, ok: false, detail: `${faults.length} of ${byStation.size} stations differ: ${named}` }
}

async function difference(api: ApiClient, id: string, energies: readonly number[]): Promise<string | undefined> {
  const shown = await api.sessions(id)
  return mismatch(
    energies.map((energyKwh) => ({ state: 'completed', energyKwh })),
    shown,
    'the API',
  )
}
