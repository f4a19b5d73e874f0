import { testShortForm } from './short-form.ts';

testShortForm({ 1: 1, 3: 1, 11: 1, 12: 1, 13: 1, 17: 1, 18: 1, 20: 2 });
