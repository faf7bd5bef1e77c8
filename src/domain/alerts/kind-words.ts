import { oneLine } from '../typed-text.ts'
import type { AlertFacts, AlertKind } from './records.ts'

export type Language = 'en' | 'de'

interface KindWords {
  readonly title: string
  readonly reported: (facts: AlertFacts) => string
}

export const WORDS: Readonly<Record<AlertKind, Readonly<Record<Language, KindWords>>>> = {
  offline: {
    en: { title: 'Offline', reported: (facts) => `${station(facts)} is offline` },
    de: { title: 'Offline', reported: (facts) => `${station(facts)} ist offline` },
  },
  faulted: {
    en: { title: 'Faulted', reported: (facts) => `${station(facts)} is faulted${fault(facts, 'connector')}` },
    de: { title: 'Gestört', reported: (facts) => `${station(facts)} ist gestört${fault(facts, 'Anschluss')}` },
  },
  errorRate: {
    en: {
      title: 'Error rate',
      reported: ({ percent }) => `${percent ?? 0} % of the messages of charge points are answered with an error`,
    },
    de: {
      title: 'Fehlerquote',
      reported: ({ percent }) =>
        `${percent ?? 0} % der Nachrichten von Ladepunkten werden mit einem Fehler beantwortet`,
    },
  },
  sessionWithoutEnergy: {
    en: {
      title: 'Session without energy',
      reported: (facts) => `${station(facts)} charges without energy (session ${named(facts.sessionId)})`,
    },
    de: {
      title: 'Ladevorgang ohne Energie',
      reported: (facts) => `${station(facts)} lädt ohne Energie (Ladevorgang ${named(facts.sessionId)})`,
    },
  },
  webhookFailing: {
    en: { title: 'Webhook failing', reported: ({ url }) => `The webhook ${named(url)} cannot be delivered to` },
    de: { title: 'Webhook gestört', reported: ({ url }) => `Der Webhook ${named(url)} ist nicht zustellbar` },
  },
  disk: {
    en: {
      title: 'Disk',
      reported: ({ mebibytes = 0, diskHolds }) =>
        `${diskHolds === 'files' ? 'The folder of firmware and logs' : 'The server'} has ${mebibytes} MiB of disk left`,
    },
    de: {
      title: 'Speicherplatz',
      reported: ({ mebibytes = 0, diskHolds }) =>
        `${diskHolds === 'files' ? 'Der Ordner für Firmware und Protokolle' : 'Der Server'} hat noch ${mebibytes} MiB Speicherplatz`,
    },
  },
  clock: {
    en: {
      title: 'Clock',
      reported: (facts) =>
        facts.stationId === undefined
          ? `The server’s clock is ${Math.abs(facts.seconds ?? 0)} s behind its newest message`
          : `The clock of ${station(facts)} is wrong by ${Math.abs(facts.seconds ?? 0)} s`,
    },
    de: {
      title: 'Uhr',
      reported: (facts) =>
        facts.stationId === undefined
          ? `Die Uhr des Servers liegt ${Math.abs(facts.seconds ?? 0)} s hinter seiner neuesten Nachricht`
          : `Die Uhr von ${station(facts)} geht um ${Math.abs(facts.seconds ?? 0)} s falsch`,
    },
  },
  certificateFailed: {
    en: { title: 'Certificate failed', reported: (facts) => `${station(facts)} got no certificate${because(facts)}` },
    de: { title: 'Zertifikat fehlt', reported: (facts) => `${station(facts)} bekam kein Zertifikat${because(facts)}` },
  },
}

function station({ stationId, stationName }: AlertFacts): string {
  return stationName === undefined ? named(stationId) : `${named(stationId)} (${named(stationName)})`
}

function fault({ connectors = [], errorCode }: AlertFacts, noun: string): string {
  const place = connectors.filter((number) => number > 0).join(', ')
  const parts = [...(place ? [`${noun} ${place}`] : []), ...(errorCode === undefined ? [] : [named(errorCode)])]
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`
}

function because({ reason }: AlertFacts): string {
  return reason === undefined ? '' : `: ${oneLine(reason, 200)}`
}

function named(text: string | undefined): string {
  return oneLine(text ?? '', 100)
}
