import { WIRE_QUIRKS } from './on-the-wire.ts'
import { EVERY, type Quirk } from './quirk.ts'
import { TRANSACTION_QUIRKS } from './transactions.ts'
import { VALUE_QUIRKS } from './values.ts'

const NETWORK_QUIRKS: readonly Quirk[] = [
  {
    name: 'ignores-settings',
    title: 'accepts every setting and changes none',
    reference: 'https://github.com/EVerest/libocpp/issues/485',
    expected: 'reads the value back, sets it again a few times, and then says that it conflicts',
    versions: EVERY,
    behaviour: { ignoresSettings: true },
  },
  {
    name: 'distrusts-firmware',
    title: 'calls the signature of every firmware wrong, whatever signed it',
    reference: 'https://github.com/c-jimenez/open-ocpp/issues/147',
    expected: 'takes the update as failed, and shows the reason',
    versions: EVERY,
    behaviour: { distrustsFirmware: true },
  },
  {
    name: 'installation-fails',
    title: 'fetches each firmware and fails to install it',
    reference: 'https://github.com/OpenEVSE/openevse_esp32_firmware/issues/976',
    expected: 'takes the update as failed, and stops a campaign where too many do',
    versions: EVERY,
    behaviour: { failsInstallation: true },
  },
  {
    name: 'breaks-off-download',
    title: 'loses its network in the middle of a download, and asks for the rest',
    reference: 'https://github.com/matth-x/MicroOcpp/issues/242',
    expected: 'gives the rest of the file, and the whole one where it has changed',
    versions: EVERY,
    behaviour: { breaksOffDownload: true },
  },
  {
    name: 'upload-without-end',
    title: 'uploads a log that has no end, and says Uploading again and again',
    reference: 'https://github.com/EVerest/libocpp/issues/459',
    expected: 'cuts the upload at its limit, keeps nothing of it, and takes each notification',
    versions: EVERY,
    behaviour: { endlessUpload: true },
  },
  {
    name: 'foreign-serial',
    title: 'names somebody else than itself in its certificate requests',
    reference: 'https://github.com/citrineos/citrineos-core/pull/1098',
    expected: 'signs nothing that would let it speak for another station',
    versions: EVERY,
    behaviour: { foreignSerial: true },
  },
]

const CHARGING_QUIRKS: readonly Quirk[] = [
  {
    name: 'ignores-profiles',
    title: 'accepts every charging profile, tells it in its schedules, and charges as if there were none',
    reference: 'https://github.com/goecharger/go-eCharger-API-v2/issues/105',
    expected: 'sees it by the measured current, counts the station with that, and says so',
    versions: EVERY,
    behaviour: { ignoresProfiles: true },
  },
  {
    name: 'forgets-profiles-at-reboot',
    title: 'has no charging profile any more after a boot',
    reference: 'https://github.com/matth-x/MicroOcpp/issues/332',
    expected: 'sends after each boot what should hold, before anybody else is given more',
    versions: EVERY,
    behaviour: { forgetsProfilesAtReboot: true },
  },
  {
    name: 'forgets-profiles-at-resume',
    title: 'goes on without any limit when a paused charge is resumed; only the next profile counts again',
    reference: 'https://github.com/goecharger/go-eCharger-API-v2/issues/155',
    expected: 'sends the limit again as soon as the charge goes on, and counts on full current until then',
    versions: EVERY,
    behaviour: { forgetsAtResume: true },
  },
  {
    name: 'forgets-profiles-offline',
    title: 'drops its charging profiles the moment the network is gone, and charges at full power',
    reference: 'https://github.com/goecharger/go-eCharger-API-v2/issues/217',
    expected: 'notices it by the meter once the station is back, and sends again what should hold',
    versions: EVERY,
    behaviour: { forgetsOffline: true },
  },
  {
    name: 'discards-profiles-while-suspended',
    title: 'accepts a TxProfile during a pause, keeps none of the charge’s profiles, and resumes at full power',
    reference: 'https://github.com/JoaoPedroBelo/bmw-wallbox-ha/pull/20',
    expected: 'keeps a TxDefaultProfile there at all times, and sends the limit again in the state Charging',
    versions: EVERY,
    behaviour: { discardsWhileSuspended: true },
  },
  {
    name: 'refuses-zero-limit',
    title: 'rejects a charging profile that has a limit of 0 in it',
    reference: 'https://github.com/evcc-io/evcc/issues/15493',
    expected: 'remembers the refusal, takes 6 A or another way to pause, and says which',
    versions: EVERY,
    behaviour: { refusesZero: true },
  },
  {
    name: 'watts-only',
    title: 'takes charging profiles in watts alone, and says so in its settings',
    reference: 'https://github.com/lbbrhzn/ocpp/issues/2134',
    expected: 'reads the unit first, or tries the other one after a refusal',
    versions: EVERY,
    behaviour: { wattsOnly: true },
  },
  {
    name: 'limits-per-connector',
    title: 'gives each connector the whole limit of the station',
    reference: 'https://github.com/matth-x/MicroOcppSimulator/issues/21',
    expected: 'counts a limit of the station once for each connector until the opposite is proved',
    versions: EVERY,
    behaviour: { limitsPerConnector: true },
  },
  {
    name: 'foreign-profile',
    title: 'has profiles of somebody else at its highest stack level: 13 A, whatever comes below',
    reference: 'https://github.com/evcc-io/evcc/issues/31597',
    expected: 'sees what caps the charge, shows it, and clears it when it is told to',
    versions: EVERY,
    behaviour: { foreignProfile: true },
  },
  {
    name: 'wrong-clock',
    title: 'is two hours ahead, in its time stamps and in its schedules, and stays so',
    reference: 'https://github.com/steve-community/steve/issues/136',
    expected: 'measures the error, and counts on schedules that begin and end by it',
    versions: EVERY,
    behaviour: { clockAheadSeconds: 7_200 },
  },
]

/** Of tariffs and limits (OCPP 2.1). */
const MONEY_QUIRKS: readonly Quirk[] = [
  {
    name: 'limits-in-capitals',
    title: 'names the limits of a transaction MaxCost, MaxEnergy, MaxTime and MaxSoC in its variables',
    reference: 'https://github.com/citrineos/citrineos-core/pull/690',
    expected: 'reads the names in any case, and sends the limit',
    versions: ['2.1'],
    behaviour: { capitalLimits: true },
  },
  {
    name: 'refuses-tariffs',
    title: 'refuses each tariff: its own ones, and that of a driver with message type 5',
    reference: 'https://github.com/citrineos/citrineos-core/pull/650',
    expected: 'shows the reason, sends no tariff of a driver again, and reckons the costs itself',
    versions: ['2.1'],
    behaviour: { refusesTariffs: true },
    shape: () => ({
      unusable: (method, { tariff }) => (method === 'Authorize' && tariff ? 'the tariff cannot be read' : undefined),
    }),
  },
  {
    name: 'refuses-dynamic-updates',
    title: 'takes a dynamic charging profile and refuses each update of it',
    reference: 'https://github.com/EVerest/libocpp/issues/1086',
    expected: 'sets the profile again, and counts with the lower one once its duration is over',
    versions: ['2.1'],
    behaviour: { refusesDynamicUpdates: true },
  },
]

/** Sorted by name. `ConnectOptions.quirks` takes the names; `pilotwire simulate --list-quirks` prints them. */
export const QUIRKS: readonly Quirk[] = [
  ...WIRE_QUIRKS,
  ...TRANSACTION_QUIRKS,
  ...VALUE_QUIRKS,
  ...NETWORK_QUIRKS,
  ...CHARGING_QUIRKS,
  ...MONEY_QUIRKS,
].sort((a, b) => (a.name < b.name ? -1 : 1))
