ALTER TABLE "certificate_requests" ADD COLUMN "station_request_id" bigint;
