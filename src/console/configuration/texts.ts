import type { RebootPolicy } from '../../domain/intents/records.ts'
import { type Names, pageTexts } from '../kit/texts.ts'

export const configurationTexts = pageTexts({
  title: ['Configurations', 'Konfigurationen'],
  lead: [
    'Settings for many charge points. Charge points that connect later get them then.',
    'Einstellungen für viele Ladestationen. Ladestationen, die sich später verbinden, erhalten sie dann.',
  ],
  none: ['There are no configurations yet.', 'Es gibt noch keine Konfigurationen.'],
  make: ['New configuration', 'Neue Konfiguration'],
  taken: [
    'There is already a configuration with this name: change that one.',
    'Es gibt bereits eine Konfiguration mit diesem Namen: Bitte ändern Sie diese.',
  ],
  priority: ['Priority', 'Priorität'],
  priorityHint: [
    'If two set the same value, the one with the higher priority counts.',
    'Setzen zwei denselben Wert, gilt die höhere Priorität.',
  ],
  values: ['Values', 'Werte'],
  deleteAsk: ['Delete this configuration?', 'Diese Konfiguration löschen?'],
  deleteLead: [
    'What is set on charge points stays. What is still waiting is not sent.',
    'Was auf Ladestationen gesetzt wurde, bleibt. Was noch wartet, wird nicht mehr gesendet.',
  ],
  variables: ['Variables (OCPP 2.0.1)', 'Variablen (OCPP 2.0.1)'],
  variablesHint: [
    'Instances go in brackets: Component[instance]. The place is an EVSE, or EVSE/connector; empty: none.',
    'Instanzen stehen in Klammern: Component[instance]. Der Ort ist eine EVSE oder EVSE/Anschluss; leer: keiner.',
  ],
  place: ['Place', 'Ort'],
  attribute: ['Attribute', 'Attribut'],
  keys16: ['Configuration keys (OCPP 1.6)', 'Konfigurationsschlüssel (OCPP 1.6)'],
  key: ['Key', 'Schlüssel'],
  secretHint: [
    'Secrets are shown as ***; left like that, they keep their value.',
    'Geheimnisse werden als *** angezeigt; bleibt das stehen, behalten sie ihren Wert.',
  ],
  reboot: ['Restart for settings that need one', 'Neustart für Einstellungen, die ihn brauchen'],
  policies: {
    never: [
      'never: wait until the charge point restarts by itself',
      'nie: warten, bis die Ladestation von selbst neu startet',
    ],
    onIdle: ['when nothing is charging', 'wenn nichts lädt'],
    window: ['when nothing is charging, within these hours', 'wenn nichts lädt, innerhalb dieser Stunden'],
  } satisfies Names<RebootPolicy>,
  status: ['Progress', 'Fortschritt'],
  noStations: ['It applies to no charge point.', 'Sie gilt für keine Ladestation.'],
})
