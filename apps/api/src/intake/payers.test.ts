import { expect, test } from 'vitest';
import { resolvePayer } from './payers.ts';

const payer = (id: string, name: string, more: object = {}) => ({
  id,
  name,
  aliases: [],
  phoneNumber: null,
  x12PayerId: null,
  ...more,
});

const PAYERS = [
  payer('northwind', 'Northwind Dental', { x12PayerId: '60054', phoneNumber: '+1 (212) 555-0100' }),
  payer('bluefield', 'Bluefield Dental', { aliases: ['BF Dental', 'Blüefield of Ohio'] }),
  payer('harbor', 'Harbor Dental Care', { aliases: ['Harbor & Sons Dental'] }),
  payer('meridian', 'Meridian Dental of Ohio', { phoneNumber: '8005550123' }),
];

const found = (card: Parameters<typeof resolvePayer>[1]) =>
  resolvePayer(PAYERS, card).map(({ payer_id, why, words }) => [payer_id, why.join(' '), words.join(' ')]);

test.each([
  [
    'the name, in other capitals',
    { text: 'NORTHWIND  dental' },
    [['northwind', 'payer_name words', 'NORTHWIND']],
  ],
  ['an alias', { text: 'bf dental' }, [['bluefield', 'alias words', 'BF']]],
  [
    'an alias without its accent',
    { text: 'Bluefield of Ohio' },
    [
      ['bluefield', 'alias words', 'BLUEFIELD OHIO'],
      ['meridian', 'words', 'OHIO'],
    ],
  ],
  ['a plan of the payer', { text: 'Harbor Care PPO Gold' }, [['harbor', 'words', 'HARBOR CARE']]],
  ['the electronic payer id', { payer_id: ' 60054 ' }, [['northwind', 'payer_id', '']]],
  ['our own id', { payer_id: 'Harbor' }, [['harbor', 'payer_id', '']]],
  ['a phone number without its country code', { phone: '212.555.0100' }, [['northwind', 'phone', '']]],
  ['a phone number with one that the file lacks', { phone: '+1 800 555 0123' }, [['meridian', 'phone', '']]],
  [
    'an id of one and the name of another: both, the id first',
    { payer_id: '60054', text: 'Meridian' },
    [
      ['northwind', 'payer_id', ''],
      ['meridian', 'words', 'MERIDIAN'],
    ],
  ],
  ['a word that every payer has', { text: 'Dental' }, []],
  ['no payer of ours', { text: 'Delta of California', payer_id: '94276', phone: '555' }, []],
  ['punctuation only', { text: '…' }, []],
])('%s', (_, card, candidates) => {
  expect(found(card)).toEqual(candidates);
});
