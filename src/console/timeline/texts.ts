/** The words of a charge point's timeline, in English and German. A missing translation does not compile. */

import type { TimelineKind } from '../../domain/timeline/records.ts'
import { inLanguages } from '../../web/in-languages.ts'

const en = {
  timeline: 'Timeline',
  narrowed: 'Kinds of entries',
  everything: 'all',
  nothing: 'Nothing of this is kept.',
  older: 'Older entries',
  session: 'session',
  kinds: {
    connected: 'connected',
    disconnected: 'disconnected',
    refused: 'refused',
    booted: 'booted',
    status: 'status',
    security: 'security',
    command: 'command',
    intent: 'wanted',
    session: 'session',
  } as Readonly<Record<TimelineKind, string>>,
  directions: { in: 'from the charge point', out: 'to the charge point' } as Readonly<Record<'in' | 'out', string>>,
  times: (count: number) => `${count} times`,
  until: 'until',
}

export type TimelineTexts = typeof en

const de: TimelineTexts = {
  timeline: 'Verlauf',
  narrowed: 'Arten von Einträgen',
  everything: 'alle',
  nothing: 'Davon ist nichts bekannt.',
  older: 'Ältere Einträge',
  session: 'Ladevorgang',
  kinds: {
    connected: 'verbunden',
    disconnected: 'getrennt',
    refused: 'abgewiesen',
    booted: 'gestartet',
    status: 'Status',
    security: 'Sicherheit',
    command: 'Befehl',
    intent: 'gewünscht',
    session: 'Ladevorgang',
  },
  directions: { in: 'von der Station', out: 'an die Station' },
  times: (count) => `${count}-mal`,
  until: 'bis',
}

export const timelineTexts = inLanguages<TimelineTexts>({ en, de })
