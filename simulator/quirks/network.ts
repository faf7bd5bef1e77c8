import { BOTH, type Quirk } from './quirk.ts'

export const NETWORK_QUIRKS: readonly Quirk[] = [
  {
    name: 'ignores-settings',
    title: 'accepts every setting and changes none',
    reference: 'https://github.com/EVerest/libocpp/issues/485',
    expected: 'reads the value back, sets it again a few times, and then says that it conflicts',
    versions: BOTH,
    behaviour: { ignoresSettings: true },
  },
  {
    name: 'distrusts-firmware',
    title: 'calls the signature of every firmware wrong, whatever signed it',
    reference: 'https://github.com/c-jimenez/open-ocpp/issues/147',
    expected: 'takes the update as failed, and shows the reason',
    versions: BOTH,
    behaviour: { distrustsFirmware: true },
  },
  {
    name: 'installation-fails',
    title: 'fetches each firmware and fails to install it',
    reference: 'https://github.com/OpenEVSE/openevse_esp32_firmware/issues/976',
    expected: 'takes the update as failed, and stops a campaign where too many do',
    versions: BOTH,
    behaviour: { failsInstallation: true },
  },
  {
    name: 'breaks-off-download',
    title: 'loses its network in the middle of a download, and asks for the rest',
    reference: 'https://github.com/matth-x/MicroOcpp/issues/242',
    expected: 'gives the rest of the file, and the whole one where it has changed',
    versions: BOTH,
    behaviour: { breaksOffDownload: true },
  },
  {
    name: 'upload-without-end',
    title: 'uploads a log that has no end, and says Uploading again and again',
    reference: 'https://github.com/EVerest/libocpp/issues/459',
    expected: 'cuts the upload at its limit, keeps nothing of it, and takes each notification',
    versions: BOTH,
    behaviour: { endlessUpload: true },
  },
  {
    name: 'foreign-serial',
    title: 'names somebody else than itself in its certificate requests',
    reference: 'https://github.com/citrineos/citrineos-core/pull/1098',
    expected: 'signs nothing that would let it speak for another station',
    versions: BOTH,
    behaviour: { foreignSerial: true },
  },
]
