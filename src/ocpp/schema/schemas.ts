/** The official schemas of ocpp-rpc, read on first need: the 2.0.1 file alone is half a megabyte. */

import { createRequire } from 'node:module'
import type { Protocol } from '../../domain/ports/core.ts'

/** The part of JSON Schema draft 7 that the OCPP schemas use. */
export interface Schema {
  readonly $id?: string
  readonly $ref?: string
  readonly type?: string | undefined
  readonly enum?: readonly string[] | undefined
  readonly description?: string | undefined
  readonly format?: string | undefined
  readonly maxLength?: number | undefined
  readonly minItems?: number | undefined
  readonly items?: Schema | undefined
  readonly properties?: Readonly<Record<string, Schema>> | undefined
  readonly required?: readonly string[] | undefined
  readonly additionalProperties?: boolean | undefined
  readonly definitions?: Readonly<Record<string, Schema>> | undefined
}

/** `req` is the CALL, `conf` its CALLRESULT. */
export type Side = 'req' | 'conf'

const FILES: Readonly<Record<Protocol, string>> = {
  'ocpp1.6': 'ocpp-rpc/lib/schemas/ocpp1_6.json',
  'ocpp2.0.1': 'ocpp-rpc/lib/schemas/ocpp2_0_1.json',
  'ocpp2.1': 'ocpp-rpc/lib/schemas/ocpp2_1.json',
}

// A JSON import would stay external in the bundle and print an experimental warning on Node 20.
const require = createRequire(import.meta.url)
const loaded = new Map<Protocol, ReadonlyMap<string, Schema>>()

function schemasOf(protocol: Protocol): ReadonlyMap<string, Schema> {
  const known = loaded.get(protocol)
  if (known) return known
  const list = require(FILES[protocol]) as readonly Schema[]
  const byId = new Map(list.map((schema) => [plainId(schema.$id ?? ''), schema]))
  loaded.set(protocol, byId)
  return byId
}

/** The file of 2.1 writes `urn:HeartbeatRequest`, the older ones `urn:Heartbeat.req`; a SEND has its bare name. */
function plainId(id: string): string {
  if (/\.(?:req|conf)$/.test(id)) return id
  return id.endsWith('Response') ? id.replace(/Response$/, '.conf') : `${id.replace(/Request$/, '')}.req`
}

export function schemaOf(protocol: Protocol, action: string, side: Side): Schema | undefined {
  return schemasOf(protocol).get(`urn:${action}.${side}`)
}

export function schemaActions(protocol: Protocol): readonly string[] {
  return [...schemasOf(protocol).keys()]
    .filter((id) => id.endsWith('.req'))
    .map((id) => id.slice('urn:'.length, -'.req'.length))
}
