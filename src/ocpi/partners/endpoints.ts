/** What a partner offers: its versions, and the endpoints of one of them (OCPI-A1). */
import { z } from '@hono/zod-openapi'
import type { Party } from '../../domain/partners/ocpi-versions.ts'
import { OCPI_VERSIONS, type OcpiVersion, type Partner, type PartnerEndpoint } from '../../domain/partners/records.ts'
import { urlFault } from '../../webhooks/sending/address-guard.ts'
import type { Failed, PartnerClient } from './client.ts'

export interface Offered {
  readonly ok: true
  readonly version: OcpiVersion
  readonly endpoints: readonly PartnerEndpoint[]
}

/** With the code of OCPI for a partner that asked us to read it: 3001, 3002 or 3003. */
type NotRead = Failed & { readonly code: number }

const UNUSABLE = 3001
const NO_VERSION = 3002
const NO_ENDPOINTS = 3003
const MAX_LISTED = 100

interface Source {
  readonly url: string
  readonly token: string
}

/** The addresses of all versions that the partner has, ours or not. */
export async function readVersions(
  client: PartnerClient,
  partner: Partner,
  { url, token }: Source,
): Promise<readonly { readonly version: string; readonly url: string }[] | NotRead> {
  const called = await client.call(partner, { method: 'GET', url, token })
  if (!called.ok) return { ...called, code: UNUSABLE }
  return listed(Version, called.data) ?? notRead(UNUSABLE, 'Its versions are no list in `data`.')
}

/** @param only this version @param prefer this one if it is there; else the highest that both have */
export async function readEndpoints(
  client: PartnerClient,
  partner: Partner,
  { url, token, only, prefer }: Source & { readonly only?: OcpiVersion; readonly prefer?: OcpiVersion | undefined },
): Promise<Offered | NotRead> {
  const versions = await readVersions(client, partner, { url, token })
  if ('ok' in versions) return versions
  const common = OCPI_VERSIONS.filter((version) => versions.some((one) => one.version === version))
  const version = only ?? (prefer && common.includes(prefer) ? prefer : common.at(-1))
  const address = versions.find((one) => one.version === version)?.url
  if (version === undefined || address === undefined) {
    const theirs = versions.map((one) => one.version).join(', ') || 'none'
    return notRead(
      NO_VERSION,
      `Its versions are ${theirs.slice(0, 200)}; needed is ${only ?? OCPI_VERSIONS.join(' or ')}.`,
    )
  }
  const called = await client.call(partner, { method: 'GET', url: address, token })
  if (!called.ok) return { ...called, code: UNUSABLE }
  const endpoints = listed(Endpoint, (called.data as { readonly endpoints?: unknown } | null)?.endpoints)
  if (!endpoints) return notRead(UNUSABLE, `Its details of version ${version} have no endpoints.`)
  if (!endpoints.some(({ identifier }) => identifier === 'credentials')) {
    return notRead(NO_ENDPOINTS, `Its version ${version} has no endpoint for credentials.`)
  }
  return { ok: true, version, endpoints }
}

/** @param role of the partner in it */
export function endpointUrl(
  { endpoints }: Pick<Partner, 'endpoints'>,
  identifier: string,
  role?: PartnerEndpoint['role'],
): string | undefined {
  const found = endpoints.find(
    (one) => one.identifier === identifier && (role === undefined || one.role === undefined || one.role === role),
  )
  return found?.url.replace(/\/+$/, '')
}

/** What is for all that a hub reaches goes to the hub (OCPI-A9). */
export function hubOf({ hubPartyId }: Partner): Party | undefined {
  return hubPartyId === undefined ? undefined : { countryCode: hubPartyId.slice(0, 2), partyId: hubPartyId.slice(2) }
}

const Version = z.object({ version: z.string(), url: z.string() })
const Endpoint = z.object({
  identifier: z.string().max(100),
  role: z.enum(['SENDER', 'RECEIVER']).optional().catch(undefined),
  url: z
    .string()
    .max(2000)
    .refine((url) => urlFault(url) === undefined),
})

/** What is wrong is passed over. */
function listed<Row>(schema: z.ZodType<Row>, list: unknown): readonly Row[] | undefined {
  return Array.isArray(list) ? list.slice(0, MAX_LISTED).flatMap((one) => schema.safeParse(one).data ?? []) : undefined
}

function notRead(code: number, message: string): NotRead {
  return { ok: false, code, message, isUncertain: false }
}
