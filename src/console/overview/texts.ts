/** The words of the overview, in English and German. */
import type { Language } from '../../web/texts.ts'

const en = {
  figures: 'The network now',
  online: 'online',
  offline: 'offline',
  pending: 'wait for approval',
  faulted: 'faulted',
  charging: 'charging',
  power: 'power now',
  energyToday: 'energy today',
  running: 'sessions running',
  failingWebhooks: 'webhooks failing',
  server: 'server',
  serverWell: 'well',
  serverBehind: (count: number) => `${count} failed writes`,
  lastDay: 'Power of the last 24 hours',
  chart: (kwh: string) => `Mean power in kW by quarters of an hour, ${kwh} kWh in all. Times are UTC.`,
  quiet: 'Nothing was charged in the last 24 hours.',
  quarters: 'The same as a table',
  newestFaults: 'Newest faults',
  noFaults: 'No charge point that is online reports a fault.',
  since: 'Since',
  fault: 'Fault',
  begin: 'Begin here',
  beginLead: 'There is no charge point yet. Four steps, in any order:',
  station: 'Connect a charge point',
  stationAddress: 'Its address of the central system (OCPP 1.6 or 2.0.1 as JSON over WebSocket):',
  stationIdentity:
    'Behind it comes the identity of the charge point: many add it by themselves, others want the whole address. Enter it as “central system URL”, “backend URL” or “CSMS URL”; as the charge point identity choose a name, such as EV-001.',
  stationRegister: 'Register it first, so that it gets a password:',
  addStation: 'Add a charge point',
  qr: 'The address as a QR code',
  simulator: 'Or run a simulated one',
  simulatorLead: 'It registers itself and charges once, in under a minute:',
  card: 'Let a card charge',
  cardLead: 'Cards are made with an API credential:',
  app: 'Connect an application',
  appLead: 'Applications read sessions, start and stop them, and get webhooks.',
  reference: 'Reference of the API',
}

export type OverviewTexts = typeof en

const de: OverviewTexts = {
  figures: 'Das Netz jetzt',
  online: 'verbunden',
  offline: 'nicht verbunden',
  pending: 'warten auf Zulassung',
  faulted: 'gestört',
  charging: 'laden',
  power: 'Leistung jetzt',
  energyToday: 'Energie heute',
  running: 'laufende Ladevorgänge',
  failingWebhooks: 'Webhooks gestört',
  server: 'Server',
  serverWell: 'in Ordnung',
  serverBehind: (count) => `${count} Schreibfehler`,
  lastDay: 'Leistung der letzten 24 Stunden',
  chart: (kwh) => `Mittlere Leistung in kW je Viertelstunde, zusammen ${kwh} kWh. Zeiten sind UTC.`,
  quiet: 'In den letzten 24 Stunden wurde nicht geladen.',
  quarters: 'Dasselbe als Tabelle',
  newestFaults: 'Neueste Störungen',
  noFaults: 'Keine verbundene Ladestation meldet eine Störung.',
  since: 'Seit',
  fault: 'Störung',
  begin: 'So geht es los',
  beginLead: 'Es gibt noch keine Ladestation. Vier Schritte, in beliebiger Folge:',
  station: 'Eine Ladestation verbinden',
  stationAddress: 'Ihre Adresse des Zentralsystems (OCPP 1.6 oder 2.0.1 als JSON über WebSocket):',
  stationIdentity:
    'Dahinter steht die Kennung der Ladestation: viele hängen sie selbst an, andere wollen die ganze Adresse. Einzutragen als „Central System URL“, „Backend URL“ oder „CSMS URL“; als Kennung einen Namen wählen, etwa EV-001.',
  stationRegister: 'Vorher anlegen, damit sie ein Passwort bekommt:',
  addStation: 'Ladestation anlegen',
  qr: 'Die Adresse als QR-Code',
  simulator: 'Oder eine simulierte starten',
  simulatorLead: 'Sie meldet sich selbst an und lädt einmal, in weniger als einer Minute:',
  card: 'Eine Karte laden lassen',
  cardLead: 'Karten legt ein API-Schlüssel an:',
  app: 'Eine Anwendung verbinden',
  appLead: 'Anwendungen lesen Ladevorgänge, starten und beenden sie und bekommen Webhooks.',
  reference: 'Beschreibung der API',
}

const LANGUAGES: Readonly<Record<Language, OverviewTexts>> = { en, de }

export function overviewTexts({ language }: { readonly language: Language }): OverviewTexts {
  return LANGUAGES[language]
}
