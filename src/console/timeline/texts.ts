import type { TimelineKind } from '../../domain/timeline/records.ts'
import { type Names, pageTexts } from '../kit/texts.ts'

export const timelineTexts = pageTexts({
  narrowed: ['Kinds of entries', 'Arten von Einträgen'],
  nothing: ['There are no entries.', 'Es gibt keine Einträge.'],
  session: ['session', 'Ladevorgang'],
  kinds: {
    connected: ['connected', 'verbunden'],
    disconnected: ['disconnected', 'getrennt'],
    refused: ['refused', 'abgewiesen'],
    booted: ['booted', 'gestartet'],
    status: ['status', 'Status'],
    security: ['security', 'Sicherheit'],
    command: ['command', 'Befehl'],
    intent: ['desired', 'gewünscht'],
    session: ['session', 'Ladevorgang'],
    reservation: ['reservation', 'Reservierung'],
  } satisfies Names<TimelineKind>,
  directions: {
    in: ['from the charge point', 'von der Ladestation'],
    out: ['to the charge point', 'an die Ladestation'],
  } satisfies Names<'in' | 'out'>,
})
