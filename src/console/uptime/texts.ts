import type { UptimeGroup } from '../../application/uptime/rows.ts'
import { type Names, pageTexts } from '../kit/texts.ts'

const groups: Names<UptimeGroup> = {
  evseController: ['Charge points', 'Ladestationen'],
  connector: ['Connectors', 'Anschlüsse'],
  site: ['Sites', 'Standorte'],
  month: ['Months', 'Monate'],
}

export const uptimeTexts = pageTexts({
  groups,
  uptime: ['Uptime', 'Verfügbarkeit'],
  by: ['By', 'Nach'],
  site: ['Site', 'Standort'],
  noSite: ['no site', 'kein Standort'],
  month: ['Month', 'Monat'],
  share: ['Uptime', 'Verfügbarkeit'],
  unknownShare: ['not known', 'nicht bekannt'],
  down: ['Down', 'Ausgefallen'],
  planned: ['Planned', 'Geplant'],
  unknown: ['Unknown', 'Unbekannt'],
  visits: ['Visits', 'Besuche'],
  failedVisits: ['Failed visits', 'Fehlgeschlagene Besuche'],
  hint: [
    'Share of the known time without an outage. Planned downtime, ordered here, is no outage. Times are those of all connectors.',
    'Anteil der bekannten Zeit ohne Ausfall. Hier angeordnete Stillstände sind geplant und zählen nicht als Ausfall. Zeiten sind die aller Anschlüsse.',
  ],
  none: ['There are no charge points in it.', 'Es gibt darin keine Ladestationen.'],
  wrong: ['The last day is before the first.', 'Der letzte Tag liegt vor dem ersten.'],
})
