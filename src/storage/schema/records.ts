/** The tables of records, made from their declarations. */
import { index, integer, primaryKey, type SQLiteColumn, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Declaration } from '../../domain/records/record.ts'
import { declarationOf, type RecordKind } from '../../domain/records/records.ts'
import { indexName, sqlColumns, sqlName } from '../record-sql.ts'

/** drizzle-kit makes migrations of what a file of this folder exports. */
export const outgoingCalls = tableOf(declarationOf('outgoing_calls'))
export const signedValues = tableOf(declarationOf('signed_values'))
export const meters = tableOf(declarationOf('meters'))
export const meterKeys = tableOf(declarationOf('meter_keys'))
export const logRequests = tableOf(declarationOf('log_requests'))
export const firmwareImages = tableOf(declarationOf('firmware_images'))
export const firmwareUpdates = tableOf(declarationOf('firmware_updates'))
export const firmwareCampaigns = tableOf(declarationOf('firmware_campaigns'))
export const campaignResumptions = tableOf(declarationOf('campaign_resumptions'))
export const campaignRows = tableOf(declarationOf('firmware_campaign_rows'))
export const certificateRequests = tableOf(declarationOf('certificate_requests'))
export const stationCertificates = tableOf(declarationOf('station_certificates'))
export const revokedCertificates = tableOf(declarationOf('revoked_certificates'))
export const certificateAuthorities = tableOf(declarationOf('certificate_authorities'))
export const installedCertificates = tableOf(declarationOf('installed_certificates'))
export const profileJobs = tableOf(declarationOf('security_profile_jobs'))
export const passwordRotations = tableOf(declarationOf('password_rotations'))
export const passwordChanges = tableOf(declarationOf('password_changes'))
export const intents = tableOf(declarationOf('intents'))
export const deviceModels = tableOf(declarationOf('device_models'))
export const reports = tableOf(declarationOf('reports'))
export const valueBatches = tableOf(declarationOf('value_batches'))
export const variables = tableOf(declarationOf('variables'))
export const stationModels = tableOf(declarationOf('station_models'))
export const unansweredReports = tableOf(declarationOf('unanswered_reports'))
export const modelQuirks = tableOf(declarationOf('model_quirks'))
export const configurations = tableOf(declarationOf('configurations'))
export const monitorSets = tableOf(declarationOf('monitor_sets'))
export const stationMonitors = tableOf(declarationOf('station_monitors'))
export const stationEvents = tableOf(declarationOf('station_events'))
export const eventTallies = tableOf(declarationOf('event_tallies'))
export const alertRules = tableOf(declarationOf('alert_rules'))
export const alerts = tableOf(declarationOf('alerts'))
export const alertNotices = tableOf(declarationOf('alert_notices'))
export const alertAcknowledgements = tableOf(declarationOf('alert_acknowledgements'))
export const connectionHistory = tableOf(declarationOf('connection_history'))
export const refusedConnections = tableOf(declarationOf('refused_connections'))
export const dataTransfers = tableOf(declarationOf('data_transfers'))
export const timelineRepetitions = tableOf(declarationOf('timeline_folds'))

/** A record without a table does not compile. */
export const RECORD_TABLES: Readonly<Record<RecordKind, ReturnType<typeof tableOf>>> = {
  outgoing_calls: outgoingCalls,
  signed_values: signedValues,
  meters,
  meter_keys: meterKeys,
  log_requests: logRequests,
  firmware_images: firmwareImages,
  firmware_updates: firmwareUpdates,
  firmware_campaigns: firmwareCampaigns,
  firmware_campaign_rows: campaignRows,
  campaign_resumptions: campaignResumptions,
  certificate_requests: certificateRequests,
  station_certificates: stationCertificates,
  revoked_certificates: revokedCertificates,
  certificate_authorities: certificateAuthorities,
  installed_certificates: installedCertificates,
  security_profile_jobs: profileJobs,
  password_rotations: passwordRotations,
  password_changes: passwordChanges,
  intents,
  device_models: deviceModels,
  reports,
  value_batches: valueBatches,
  variables,
  station_models: stationModels,
  unanswered_reports: unansweredReports,
  model_quirks: modelQuirks,
  configurations,
  monitor_sets: monitorSets,
  station_monitors: stationMonitors,
  station_events: stationEvents,
  event_tallies: eventTallies,
  alert_rules: alertRules,
  alerts,
  alert_notices: alertNotices,
  alert_acknowledgements: alertAcknowledgements,
  connection_history: connectionHistory,
  refused_connections: refusedConnections,
  timeline_folds: timelineRepetitions,
  data_transfers: dataTransfers,
}

function tableOf(declaration: Declaration) {
  const { name, key, indexes } = declaration
  const columns = Object.fromEntries(
    sqlColumns(declaration, 'sqlite').map(({ name: column, type, isNullable }) => {
      const built = type === 'integer' ? integer(column) : text(column)
      return [column, isNullable ? built : built.notNull()]
    }),
  )
  return sqliteTable(name, columns, (table) => {
    const [first, ...rest] = key.map((member) => columnOf(table, member))
    if (!first) throw new Error(`The record ${name} has no key.`)
    return [
      primaryKey({ columns: [first, ...rest] }),
      ...indexes.map((members) => {
        const [start, ...others] = members.map((member) => columnOf(table, member))
        if (!start) throw new Error(`An index of ${name} names no column.`)
        return index(indexName(declaration, members)).on(start, ...others)
      }),
    ]
  })
}

function columnOf(table: Readonly<Record<string, SQLiteColumn>>, member: string): SQLiteColumn {
  const column = table[sqlName(member)]
  if (!column) throw new Error(`There is no column for ${member}.`)
  return column
}
