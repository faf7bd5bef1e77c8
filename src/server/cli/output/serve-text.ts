import type { Config } from '../../../config/config.ts'
import { isLoopbackHost } from '../../../config/setting-kinds.ts'
import { isoTime } from '../../../domain/iso-time.ts'
import type { FirstStartMark } from '../../../domain/ports/storage.ts'
import type { FirstStart } from '../../first-start.ts'

export interface Addresses {
  readonly url: string
  readonly baseUrl: string
  readonly dashboardUrl: string
  /** The charge point's identity goes behind it. */
  readonly ocppUrl: string
}

/** The configured addresses, or with port 0 the ones that came of it. */
export function addresses({ port, baseUrl, dashboardUrl }: Config, url: string): Addresses {
  const real = (address: string): string =>
    port === 0 ? address.replace(/:0(?=\/|$)/, `:${new URL(url).port}`) : address
  const base = real(baseUrl)
  return { url, baseUrl: base, dashboardUrl: real(dashboardUrl), ocppUrl: `${base.replace(/^http/, 'ws')}/ocpp` }
}

/** Where `pilotwire simulate` connects to by default. */
const SIMULATED = 'ws://localhost:8080/ocpp'

export function firstStartLines(config: Config, url: string, first: FirstStart): string[] {
  const { baseUrl, dashboardUrl, ocppUrl } = addresses(config, url)
  const next =
    config.unknownChargePoints === 'accept'
      ? `npm run simulate${ocppUrl === SIMULATED ? '' : ` -- --url ${ocppUrl}`}`
      : 'pilotwire charge-point add EV-001, then connect that charge point'
  return [
    '',
    'Pilotwire is set up. What is generated here is shown this once:',
    '',
    `  Dashboard       ${dashboardUrl}`,
    `  Login           ${first.email}`,
    `  Password        ${first.password ?? 'the one from PILOTWIRE_ADMIN_PASSWORD'}`,
    `  Charge points   ${ocppUrl}/<identity>   (OCPP ${config.ocppVersions.join(', ')})`,
    `  API             ${baseUrl}/2`,
    `  API credential  ${first.credential}`,
    '',
    `  Next            ${next}`,
    `                  export PILOTWIRE_API_CREDENTIAL=${first.credential}`,
    `                  curl -H "Authorization: Bearer $PILOTWIRE_API_CREDENTIAL" ${baseUrl}/2/sessions`,
    '',
  ]
}

/** In place of these where the output may be kept (SERVER-C4). */
export function keptLines(config: Config, url: string, file: string): string[] {
  const { dashboardUrl, ocppUrl } = addresses(config, url)
  return [
    `Pilotwire is set up: dashboard ${dashboardUrl}, charge points ${ocppUrl}/<identity>.`,
    `Login, password and API credential are in ${file} (mode 0600). Read it, then delete it; nothing shows them again.`,
  ]
}

/** SERVER-C6: where to look for what this start would have shown, had it been the first. */
export function madeElsewhereLine({ node, at }: FirstStartMark): string {
  return `The first start of this database was that of node ${node} at ${isoTime(at)}: its output, or the file that it names there, has the login and the API credential.`
}

/** SERVER-A2: the start says in one line which mode it is in and how to leave it. */
export function modeLine(config: Config): string {
  if (config.mode === 'production') {
    return `production mode: unregistered charge points: ${config.unknownChargePoints}; unknown id tokens: ${config.unknownIdTokens}; client registration: ${config.registration}.`
  }
  const open = [
    ...(config.unknownChargePoints === 'accept' ? ['any charge point'] : []),
    ...(config.unknownIdTokens === 'accept' ? ['any id token'] : []),
    ...(config.registration === 'open' ? ['any OAuth client'] : []),
  ]
  const admits = open.length > 0 ? ` and lets in ${open.join(', ')}` : ''
  const where = isLoopbackHost(config.host)
    ? `${config.host}, which only this machine (or this container) reaches,`
    : config.host
  return `development mode: listens on ${where}${admits}; leave it by setting PILOTWIRE_BASE_URL to the public https address (or PILOTWIRE_MODE=production).`
}

/** What development leaves behind is said again with every start in production. */
export function openChargePoints(count: number): string {
  const subject = count === 1 ? '1 charge point connects' : `${count} charge points connect`
  return `${subject} without a password (security profile 0 in pilotwire charge-point list): give each one with pilotwire charge-point set-password, or delete it.`
}
