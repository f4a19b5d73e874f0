import { testShortForm } from './short-form.ts';

testShortForm({ 8: 1, 9: 2, 22: 1 });
