/** The words of the overview, in English and German. */
import { pageTexts } from '../kit/texts.ts'

export const overviewTexts = pageTexts({
  figures: ['The network now', 'Das Netz jetzt'],
  online: ['online', 'online'],
  offline: ['offline', 'offline'],
  pending: ['waiting for approval', 'warten auf Freigabe'],
  faulted: ['faulted', 'gestört'],
  charging: ['charging', 'laden'],
  power: ['power now', 'Leistung jetzt'],
  energyToday: ['energy today', 'Energie heute'],
  running: ['sessions running', 'laufende Ladevorgänge'],
  failingWebhooks: ['webhooks failing', 'Webhooks gestört'],
  server: ['server', 'Server'],
  serverWell: ['OK', 'in Ordnung'],
  serverBehind: [(count: number) => `${count} failed writes`, (count: number) => `${count} Schreibfehler`],
  lastDay: ['Power of the last 24 hours', 'Leistung der letzten 24 Stunden'],
  chart: [
    (kwh: string) => `Average power in kW per quarter hour, ${kwh} kWh in total. Times are UTC.`,
    (kwh: string) => `Mittlere Leistung in kW je Viertelstunde, insgesamt ${kwh} kWh. Zeiten in UTC.`,
  ],
  quiet: ['Nothing was charged in the last 24 hours.', 'In den letzten 24 Stunden wurde nicht geladen.'],
  quarters: ['As a table', 'Als Tabelle'],
  faultStation: ['Station', 'Ladestation'],
  faultName: ['Name', 'Name'],
  faultError: ['Error', 'Fehler'],
  faultTold: ['What the station says', 'Was die Ladestation sagt'],
  faultFor: ['For', 'Seit'],
  newestFaults: ['Newest faults', 'Neueste Störungen'],
  noFaults: ['No online charge point reports a fault.', 'Keine Ladestation, die online ist, meldet eine Störung.'],
  outageAt: [
    (percent: number) => `${percent}\u202f% of stations at`,
    (percent: number) => `${percent}\u202f% der Ladestationen am Standort`,
  ],
  outageAll: [
    (percent: number) => `${percent}\u202f% of all stations`,
    (percent: number) => `${percent}\u202f% aller Ladestationen`,
  ],
  outageSince: [(time: string) => `offline since ${time}`, (time: string) => `offline seit ${time}`],
  outageCount: [
    (offline: string, all: string) => `${offline} of ${all}`,
    (offline: string, all: string) => `${offline} von ${all}`,
  ],
  outageMore: [
    (count: number) => `Other sites of which half is offline: ${count}.`,
    (count: number) => `Weitere Standorte, von denen die Hälfte offline ist: ${count}.`,
  ],
  outageShow: ['Show them', 'Anzeigen'],
  begin: ['Getting started', 'Erste Schritte'],
  beginLead: [
    'There are no charge points yet. Four steps, in any order:',
    'Es gibt noch keine Ladestationen. Vier Schritte, in beliebiger Reihenfolge:',
  ],
  station: ['Connect a charge point', 'Eine Ladestation verbinden'],
  stationAddress: [
    'The address of the central system (OCPP 1.6 or 2.0.1, JSON over WebSocket):',
    'Die Adresse des Zentralsystems (OCPP 1.6 oder 2.0.1, JSON über WebSocket):',
  ],
  stationIdentity: [
    'The identity of the charge point follows it: many add it by themselves, others need the whole address. Enter it as “central system URL”, “backend URL” or “CSMS URL”; as the charge point identity choose a name, such as EV-001.',
    'Darauf folgt die Kennung der Ladestation: Viele hängen sie selbst an, andere brauchen die ganze Adresse. Tragen Sie sie als „Central System URL“, „Backend URL“ oder „CSMS URL“ ein, und wählen Sie als Kennung einen Namen wie EV-001.',
  ],
  stationRegister: [
    'Register it first so that it gets a password:',
    'Legen Sie sie vorher an, damit sie ein Passwort erhält:',
  ],
  addStation: ['Add a charge point', 'Ladestation anlegen'],
  qr: ['The address as a QR code', 'Die Adresse als QR-Code'],
  simulator: ['Or run a simulated one', 'Oder eine simulierte starten'],
  simulatorLead: [
    'It registers itself and charges once, in under a minute:',
    'Sie meldet sich selbst an und lädt einmal, in weniger als einer Minute:',
  ],
  card: ['Let a card charge', 'Eine Karte zulassen'],
  cardLead: ['Cards are created with an API credential:', 'Karten werden mit einem API-Schlüssel angelegt:'],
  app: ['Connect an application', 'Eine Anwendung verbinden'],
  appLead: [
    'Applications read sessions, start and stop them, and get webhooks.',
    'Anwendungen lesen, starten und beenden Ladevorgänge und erhalten Webhooks.',
  ],
  reference: ['API reference', 'API-Dokumentation'],
})
