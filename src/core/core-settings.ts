/** What the core needs of the configuration: plain values, so that they can cross into its thread. */
import { readFileSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import type { SessionSettings } from '../domain/sessions/decision.ts'
import { readCertificates } from '../domain/x509/pem.ts'

export interface CoreSettings {
  readonly secretKey: Uint8Array
  /** No trailing slash; charge points fetch and upload files below it. */
  readonly baseUrl: string
  readonly unknownChargePoints: Config['unknownChargePoints']
  readonly unknownIdTokens: Config['unknownIdTokens']
  readonly validation: Config['ocppValidation']
  readonly versions: Config['ocppVersions']
  readonly protocolOrder: Config['ocppProtocolOrder']
  readonly tolerantProtocols: boolean
  readonly callTimeoutMs: number
  readonly heartbeatIntervalSeconds: number
  readonly bootRetrySeconds: number
  /** Minimum time between figure events of a session (HOOK-M1). */
  readonly figuresIntervalMs: number
  /** CERT-C12; absent: the name of the account. */
  readonly organization?: string | undefined
  /** Further authorities whose certificates prove a charge point, PEM (CERT-C11). */
  readonly clientAuthorities?: string | undefined
  /** Where charge points reach this server, without their identity (CERT-C25). */
  readonly csmsUrl?: string | undefined
  /** PEM; the root of the certificate that this server shows, where known. */
  readonly serverRoot?: string | undefined
  readonly sessions: SessionSettings
  /** DEVICE-A5: stations are asked for their device models automatically. */
  readonly asksForReports: boolean
  /** DEVICE-A9: limit per station. */
  readonly mostVariables: number
}

const MAX_VARIABLES = 50_000

/** SESSION-A15: twice what stations commonly spend on TransactionMessageAttempts × TransactionMessageRetryInterval. */
const SILENCE_TIMEOUT_MS = 48 * 3600_000
/** A Pending or Rejected station asks again after this; short enough to watch an approval. */
const BOOT_RETRY_SECONDS = 60

export function coreSettings(config: Config): CoreSettings {
  return {
    secretKey: config.secretKey,
    baseUrl: config.baseUrl,
    unknownChargePoints: config.unknownChargePoints,
    unknownIdTokens: config.unknownIdTokens,
    validation: config.ocppValidation,
    versions: config.ocppVersions,
    protocolOrder: config.ocppProtocolOrder,
    tolerantProtocols: config.ocppTolerantProtocols,
    callTimeoutMs: config.ocppCallTimeoutSeconds * 1000,
    heartbeatIntervalSeconds: config.heartbeatIntervalSeconds,
    bootRetrySeconds: BOOT_RETRY_SECONDS,
    figuresIntervalMs: config.webhookFiguresIntervalSeconds * 1000,
    organization: config.organization,
    clientAuthorities: config.clientCaFile === undefined ? undefined : readFileSync(config.clientCaFile, 'utf8'),
    csmsUrl: `${config.baseUrl.replace(/^http/, 'ws')}/ocpp`,
    serverRoot: serverRoot(config),
    sessions: sessionSettings(config),
    asksForReports: config.ocppReports === 'automatic',
    mostVariables: MAX_VARIABLES,
  }
}

/** The root in the configured certificate files, or a self-signed certificate itself. */
function serverRoot({ tlsCertFiles: [file] = [] }: Pick<Config, 'tlsCertFiles'>): string | undefined {
  const last = file === undefined ? undefined : readCertificates(readFileSync(file, 'utf8'))?.at(-1)
  return last?.ca && last.checkIssued(last) ? last.toString() : undefined
}

export function sessionSettings(
  config: Pick<
    Config,
    'remoteStartTimeoutSeconds' | 'orphanTimeoutSeconds' | 'concurrentTransactions' | 'voltage' | 'timeZone'
  > &
    Partial<Pick<Config, 'receiptUrl'>>,
): SessionSettings {
  return {
    remoteStartTimeoutMs: config.remoteStartTimeoutSeconds * 1000,
    orphanTimeoutMs: config.orphanTimeoutSeconds * 1000,
    silenceTimeoutMs: SILENCE_TIMEOUT_MS,
    voltage: config.voltage,
    timeZone: config.timeZone,
    refuseConcurrentTransactions: config.concurrentTransactions === 'reject',
    receiptUrl: config.receiptUrl,
  }
}
