export interface AuditTables {
  audit_seal: AuditSealTable;
  audit_drop: AuditDropTable;
}

interface AuditSealTable {
  number: string;
  /** The end of its range: lines up to it are sealed. */
  last_id: string;
  /** The tree's edge after its last line; the next seal continues from it. */
  edge: Buffer;
  /** When it was made, and up to when all lines are in it or an earlier one, as its note has them. */
  sealed_at: Date;
  settled_at: Date | null;
  /** The signed note; everything else about the seal is in it. */
  note: string;
}

interface AuditDropTable {
  number: string;
  /** The newest seal when it was signed. */
  seal_number: string;
  /** The signed note; everything else about the drop is in it. */
  note: string;
}
