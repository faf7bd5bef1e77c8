/** What users set for themselves. Stored values are validated like untrusted input: pages change. */
import type { Reads, Writes } from '../../domain/ports/storage.ts'

type Preferences = ReadonlyMap<string, unknown>

const MOST = 200

export async function preferencesOf(reads: Pick<Reads, 'listRecords'>, userId: string): Promise<Preferences> {
  const found = await reads.listRecords('preferences', { where: { userId }, limit: MOST })
  return new Map(found.map(({ name, value }) => [name, value]))
}

export async function keepPreference(
  writes: Pick<Writes, 'putRecords' | 'removeRecords'>,
  userId: string,
  name: string,
  value: unknown,
): Promise<void> {
  if (value === undefined) await writes.removeRecords('preferences', [{ userId, name }])
  else await writes.putRecords('preferences', [{ userId, name, value }])
}

export function textPreference(preferences: Preferences, name: string): string | undefined {
  const value = preferences.get(name)
  return typeof value === 'string' ? value : undefined
}
