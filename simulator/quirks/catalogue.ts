import { WIRE_QUIRKS } from './on-the-wire.ts'
import { EVERY, type Quirk, quirk } from './quirk.ts'
import { TRANSACTION_QUIRKS } from './transactions.ts'
import { VALUE_QUIRKS } from './values.ts'

const NETWORK_QUIRKS: readonly Quirk[] = [
  quirk('ignores-settings', 'EVerest/libocpp/issues/485', EVERY, {
    title: 'accepts every setting and changes none',
    expected: 'reads the value back, sets it again a few times, and then says that it conflicts',
    behaviour: { ignoresSettings: true },
  }),
  quirk('distrusts-firmware', 'c-jimenez/open-ocpp/issues/147', EVERY, {
    title: 'calls the signature of every firmware wrong, whatever signed it',
    expected: 'takes the update as failed, and shows the reason',
    behaviour: { distrustsFirmware: true },
  }),
  quirk('installation-fails', 'OpenEVSE/openevse_esp32_firmware/issues/976', EVERY, {
    title: 'fetches each firmware and fails to install it',
    expected: 'takes the update as failed, and stops a campaign where too many do',
    behaviour: { failsInstallation: true },
  }),
  quirk('breaks-off-download', 'matth-x/MicroOcpp/issues/242', EVERY, {
    title: 'loses its network in the middle of a download, and asks for the rest',
    expected: 'gives the rest of the file, and the whole one where it has changed',
    behaviour: { breaksOffDownload: true },
  }),
  quirk('upload-without-end', 'EVerest/libocpp/issues/459', EVERY, {
    title: 'uploads a log that has no end, and says Uploading again and again',
    expected: 'cuts the upload at its limit, keeps nothing of it, and takes each notification',
    behaviour: { endlessUpload: true },
  }),
  quirk('foreign-serial', 'citrineos/citrineos-core/pull/1098', EVERY, {
    title: 'names somebody else than itself in its certificate requests',
    expected: 'signs nothing that would let it speak for another station',
    behaviour: { foreignSerial: true },
  }),
]

const CHARGING_QUIRKS: readonly Quirk[] = [
  quirk('ignores-profiles', 'goecharger/go-eCharger-API-v2/issues/105', EVERY, {
    title: 'accepts every charging profile, tells it in its schedules, and charges as if there were none',
    expected: 'sees it by the measured current, counts the station with that, and says so',
    behaviour: { ignoresProfiles: true },
  }),
  quirk('forgets-profiles-at-reboot', 'matth-x/MicroOcpp/issues/332', EVERY, {
    title: 'has no charging profile any more after a boot',
    expected: 'sends after each boot what should hold, before anybody else is given more',
    behaviour: { forgetsProfilesAtReboot: true },
  }),
  quirk('forgets-profiles-at-resume', 'goecharger/go-eCharger-API-v2/issues/155', EVERY, {
    title: 'goes on without any limit when a paused charge is resumed; only the next profile counts again',
    expected: 'sends the limit again as soon as the charge goes on, and counts on full current until then',
    behaviour: { forgetsAtResume: true },
  }),
  quirk('forgets-profiles-offline', 'goecharger/go-eCharger-API-v2/issues/217', EVERY, {
    title: 'drops its charging profiles the moment the network is gone, and charges at full power',
    expected: 'notices it by the meter once the station is back, and sends again what should hold',
    behaviour: { forgetsOffline: true },
  }),
  quirk('discards-profiles-while-suspended', 'JoaoPedroBelo/bmw-wallbox-ha/pull/20', EVERY, {
    title: 'accepts a TxProfile during a pause, keeps none of the charge’s profiles, and resumes at full power',
    expected: 'keeps a TxDefaultProfile there at all times, and sends the limit again in the state Charging',
    behaviour: { discardsWhileSuspended: true },
  }),
  quirk('refuses-zero-limit', 'evcc-io/evcc/issues/15493', EVERY, {
    title: 'rejects a charging profile that has a limit of 0 in it',
    expected: 'remembers the refusal, takes 6 A or another way to pause, and says which',
    behaviour: { refusesZero: true },
  }),
  quirk('watts-only', 'lbbrhzn/ocpp/issues/2134', EVERY, {
    title: 'takes charging profiles in watts alone, and says so in its settings',
    expected: 'reads the unit first, or tries the other one after a refusal',
    behaviour: { wattsOnly: true },
  }),
  quirk('limits-per-connector', 'matth-x/MicroOcppSimulator/issues/21', EVERY, {
    title: 'gives each connector the whole limit of the station',
    expected: 'counts a limit of the station once for each connector until the opposite is proved',
    behaviour: { limitsPerConnector: true },
  }),
  quirk('foreign-profile', 'evcc-io/evcc/issues/31597', EVERY, {
    title: 'has profiles of somebody else at its highest stack level: 13 A, whatever comes below',
    expected: 'sees what caps the charge, shows it, and clears it when it is told to',
    behaviour: { foreignProfile: true },
  }),
  quirk('wrong-clock', 'steve-community/steve/issues/136', EVERY, {
    title: 'is two hours ahead, in its time stamps and in its schedules, and stays so',
    expected: 'measures the error, and counts on schedules that begin and end by it',
    behaviour: { clockAheadSeconds: 7_200 },
  }),
]

/** Of tariffs and limits (OCPP 2.1). */
const MONEY_QUIRKS: readonly Quirk[] = [
  quirk('limits-in-capitals', 'citrineos/citrineos-core/pull/690', ['2.1'], {
    title: 'names the limits of a transaction MaxCost, MaxEnergy, MaxTime and MaxSoC in its variables',
    expected: 'reads the names in any case, and sends the limit',
    behaviour: { capitalLimits: true },
  }),
  quirk('refuses-tariffs', 'citrineos/citrineos-core/pull/650', ['2.1'], {
    title: 'refuses each tariff: its own ones, and that of a driver with message type 5',
    expected: 'shows the reason, sends no tariff of a driver again, and reckons the costs itself',
    behaviour: { refusesTariffs: true },
    shape: () => ({
      unusable: (method, { tariff }) => (method === 'Authorize' && tariff ? 'the tariff cannot be read' : undefined),
    }),
  }),
  quirk('refuses-dynamic-updates', 'EVerest/libocpp/issues/1086', ['2.1'], {
    title: 'takes a dynamic charging profile and refuses each update of it',
    expected: 'sets the profile again, and counts with the lower one once its duration is over',
    behaviour: { refusesDynamicUpdates: true },
  }),
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
