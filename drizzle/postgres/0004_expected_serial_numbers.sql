ALTER TABLE "charge_points" ADD COLUMN "expected_serial_number" text COLLATE "C";
