/**
 * What a module of OCPI is to the router. A module is one file that exports an `OcpiModule`, and one line of the table
 * in `modules.ts`: addresses, version details, methods, envelopes, headers and exchanges follow from it.
 */
import type { UseCaseContext } from '../../application/context.ts'
import type { OcpiParty, OcpiVersion, Partner } from '../../domain/partners/records.ts'
import type { Results } from '../commands/results.ts'
import type { PartnerClient } from '../partners/client.ts'

export interface OcpiContext
  extends Pick<UseCaseContext, 'reads' | 'writes' | 'core' | 'now' | 'after' | 'random' | 'log'> {
  readonly settings: {
    /** Without a trailing slash. */
    readonly baseUrl: string
    readonly secretKey: Uint8Array
    readonly timeZone: string
    readonly voltage: number
  }
  readonly client: PartnerClient
  readonly results: Results
}

export interface OcpiRequest {
  readonly context: OcpiContext
  readonly version: OcpiVersion
  readonly partner: Partner
  /** Us. */
  readonly party: OcpiParty
  /** SHA-256 of the token that the request came with, and the token. */
  readonly token: { readonly hash: string; readonly text: string }
  /** Below the version, such as `/locations`. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** JSON; undefined where there was none. */
  readonly body: unknown
}

export interface OcpiAnswer {
  readonly data?: unknown
  /** 1000 unless given. */
  readonly code?: number | undefined
  readonly message?: string | undefined
  /** Of HTTP, 200 unless given: 404 of a GET for what is not there, 405; nothing else is for a module (OCPI-A7). */
  readonly http?: 404 | 405 | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface OcpiRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the module: '' or '/{uid}', '/{country}/{party}/{uid}', … */
  readonly path: string
  readonly handle: (request: OcpiRequest) => Promise<OcpiAnswer> | OcpiAnswer
}

export interface OcpiModule {
  readonly identifier: string
  /** Ours. */
  readonly role: 'SENDER' | 'RECEIVER'
  /** Without routing headers: credentials and HubClientInfo (OCPI-A9). */
  readonly isConfiguration?: true | undefined
  readonly routes: readonly OcpiRoute[]
}

/** All of it stands at one address. */
export function receiver(
  identifier: string,
  path: string,
  methods: Partial<Record<OcpiRoute['method'], OcpiRoute['handle']>>,
): OcpiModule {
  const all = Object.entries(methods) as readonly (readonly [OcpiRoute['method'], OcpiRoute['handle']])[]
  return { identifier, role: 'RECEIVER', routes: all.map(([method, handle]) => ({ method, path, handle })) }
}

export const INVALID = 2001
export const NOT_ENOUGH = 2002
export const UNKNOWN_LOCATION = 2003
export const UNKNOWN_TOKEN = 2004

/** HTTP 200 all the same (OCPI-A7). @param message which field is wrong, and what to do */
export function refused(code: number, message: string): OcpiAnswer {
  return { code, message }
}

export function missing(code: number, message: string): OcpiAnswer {
  return { code, message, http: 404 }
}
