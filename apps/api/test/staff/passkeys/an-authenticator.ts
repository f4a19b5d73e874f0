import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** How an authenticator, or the browser before it, goes wrong. */
export interface Wrong {
  /** The page that asked, where it is another. */
  readonly origin?: string;
  /** The name that the passkey is for, where it is another. */
  readonly rpId?: string;
  /** Nobody typed a PIN or showed a finger. */
  readonly isUnverified?: boolean;
  /** How often it says it was used; once more than before without it. */
  readonly count?: number;
  /** Whom it says it is for. */
  readonly userId?: string;
  /** Signs something else. */
  readonly isForged?: boolean;
}

export interface Asked {
  readonly challenge: string;
}

export interface CreationOptions extends Asked {
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();

const text = (value: string) => Buffer.concat([Buffer.from([0x60 | value.length]), Buffer.from(value)]);
/** Up to 255 bytes. */
const bytes = (value: Uint8Array) => Buffer.concat([Buffer.from([0x58, value.length]), value]);

/** One passkey, as a security key or a phone holds it (WebAuthn, 6.1), and what the browser says around it. */
export function anAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  let rpId = new URL(origin).hostname;
  let userHandle = '';
  let useCount = 0;

  const clientData = (type: string, { challenge }: Asked, wrong: Wrong) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: wrong.origin ?? origin, crossOrigin: false }));

  const authenticatorData = (wrong: Wrong, credential = Buffer.alloc(0)) => {
    useCount = wrong.count ?? useCount + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(useCount);
    const flags = 0x01 | (wrong.isUnverified ? 0 : 0x04) | (credential.length > 0 ? 0x40 : 0);
    return Buffer.concat([sha256(wrong.rpId ?? rpId), Buffer.from([flags]), count, credential]);
  };

  /** The public key as COSE writes it: EC2, ES256, P-256, x, y. */
  const coseKey = () => {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const [left, right] = [x, y].map((part) => Buffer.from(part, 'base64url'));
    const point = [Buffer.from([0x21]), bytes(left ?? id), Buffer.from([0x22]), bytes(right ?? id)];
    return Buffer.concat([Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]), ...point]);
  };

  return {
    id: id.toString('base64url'),
    /** What `navigator.credentials.create` gives, as JSON. */
    create: (options: CreationOptions, wrong: Wrong = {}) => {
      rpId = options.rp.id;
      userHandle = options.user.id;
      const length = Buffer.from([0, id.length]);
      const data = authenticatorData(wrong, Buffer.concat([Buffer.alloc(16), length, id, coseKey()]));
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        bytes(data),
      ]);
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        response: {
          clientDataJSON: clientData('webauthn.create', options, wrong).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    /** What `navigator.credentials.get` gives, as JSON. */
    get: (options: Asked, wrong: Wrong = {}) => {
      const client = clientData('webauthn.get', options, wrong);
      const data = authenticatorData(wrong);
      const signer = createSign('sha256').update(data).update(sha256(client));
      if (wrong.isForged) signer.update('x');
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signer.sign(privateKey).toString('base64url'),
          userHandle: wrong.userId ? Buffer.from(wrong.userId).toString('base64url') : userHandle,
        },
      };
    },
  };
}

export type TestAuthenticator = ReturnType<typeof anAuthenticator>;
