/** A model in an address: its names may hold anything. */
import type { ModelQuirk } from '../../domain/device-model/records.ts'
import { parsedJson } from '../../domain/parsed-json.ts'

type QuirkKey = Pick<ModelQuirk, 'accountId' | 'vendor' | 'model' | 'firmwareVersion'>

export function quirkId({ vendor, model, firmwareVersion }: QuirkKey): string {
  return Buffer.from(JSON.stringify([vendor, model, firmwareVersion])).toString('base64url')
}

/** Undefined for what is no such id. */
export function quirkKey(accountId: string, id: string): QuirkKey | undefined {
  const names = parsedJson(Buffer.from(id, 'base64url').toString())
  if (!Array.isArray(names) || names.length !== 3 || !names.every((name) => typeof name === 'string')) return undefined
  const [vendor = '', model = '', firmwareVersion = ''] = names
  return { accountId, vendor, model, firmwareVersion }
}
